import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStorage, createWorld } from '@worldwright/server'
import { hotSwapHandler } from './hot-swap-handler.ts'

test('an exchanged handler answers the next request, and what earlier caches did stays counted', async () => {
  const named = (name: string) =>
    createWorld({ id: 'urn:example:sol', name, types: [] }, createMemoryStorage(), {
      publicUrl: 'https://sol.example',
    })
  const live = hotSwapHandler(named('Sol'))
  const read = async () => {
    const request = { method: 'GET', target: '/.well-known/world.json', headers: {} }
    const { body } = await live.handler.handle(request)
    return JSON.parse(String(body)).world.name
  }
  assert.deepEqual([await read(), await read()], ['Sol', 'Sol'])
  live.replaceHandler(named('Sol again'))
  assert.deepEqual([await read(), await read(), await read()], ['Sol again', 'Sol again', 'Sol again'])
  const { hits, misses, entries } = live.handler.cacheStatistics()
  assert.deepEqual({ hits, misses, entries }, { hits: 3, misses: 2, entries: 1 })
})
