import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from './memory.ts'
import { LAYERS, type Layer, stack } from './stack.ts'

test('layers are stacked in a fixed order from the engine up, whatever order they are given in', async () => {
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
  // From the outside in.
  assert.deepEqual(asked, ['damage', 'metrics', 'cluster', 'meaning', 'repair', 'search', 'writes', 'types'])
})

test('a layer that is absent is left out', async () => {
  const engine = createMemoryStore()
  assert.equal(await stack(engine, {}), engine)
  const named = await stack(engine, { types: undefined, metrics: (store) => ({ ...store }) })
  assert.notEqual(named, engine)
  assert.equal(named.get, engine.get)
})
