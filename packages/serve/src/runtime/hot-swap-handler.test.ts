import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { hotSwapHandler } from './hot-swap-handler.ts'

test('the new handler serves the next request, and cache statistics are kept', async () => {
  const named = (name: string) =>
    createWorld({
      id: 'urn:example:sol',
      name,
      types: [],
      store: createMemoryStore(),
      publicUrl: 'https://sol.example',
    })
  const live = hotSwapHandler(named('Sol'))
  const read = async () => {
    const request = { method: 'GET', target: '/.well-known/world.json', headers: {} }
    const { body } = await live.handler.handle(request)
    return JSON.parse(Buffer.from(body as Uint8Array).toString()).world.name
  }
  assert.deepEqual([await read(), await read()], ['Sol', 'Sol'])
  await live.replaceHandler(named('Sol again'))
  assert.deepEqual([await read(), await read(), await read()], ['Sol again', 'Sol again', 'Sol again'])
  const { hits, misses, entries } = live.handler.cacheStatistics()
  assert.deepEqual({ hits, misses, entries }, { hits: 3, misses: 2, entries: 1 })
})

test('replaceHandler opens the new handler before it closes the old one', async () => {
  const log: string[] = []
  const logged = (name: string) =>
    createWorld({
      id: 'urn:example:sol',
      types: [],
      store: createMemoryStore(),
      extensions: [
        () => ({
          name,
          open: () => void log.push(`open ${name}`),
          close: () => void log.push(`close ${name}`),
        }),
      ],
    })
  const live = hotSwapHandler(logged('x:a'))
  await live.handler.open()
  await live.replaceHandler(logged('x:b'))
  assert.deepEqual(log.splice(0), ['open x:a', 'open x:b', 'close x:a'])
  await live.handler.close()
  assert.deepEqual(log, ['close x:b'])
})
