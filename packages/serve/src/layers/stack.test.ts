import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { LAYERS, type Layer, stack } from './stack.ts'

test('layers are stacked in a fixed order, regardless of the order in which they are given', async () => {
  const asked: string[] = []
  const layer =
    (name: string): Layer =>
    (store) => ({
      ...store,
      async version(options) {
        asked.push(name)
        return store.version(options)
      },
    })
  const layers = Object.fromEntries([...LAYERS].reverse().map((name) => [name, layer(name)]))
  const store = await stack(createMemoryStore(), layers)
  await store.version()
  // From the outermost layer to the innermost.
  assert.deepEqual(asked, [
    'damage',
    'spans',
    'metrics',
    'cluster',
    'meaning',
    'repair',
    'search',
    'writes',
    'types',
  ])
})

test('an absent layer is skipped', async () => {
  const engine = createMemoryStore()
  assert.equal(await stack(engine, {}), engine)
  const named = await stack(engine, { types: undefined, metrics: (store) => ({ ...store }) })
  assert.notEqual(named, engine)
  assert.equal(named.get, engine.get)
})
