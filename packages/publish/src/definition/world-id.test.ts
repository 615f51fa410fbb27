import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { emptyDefinition } from './definition.ts'
import { worldId } from './world-id.ts'

test('a world without an id in its definition gets a generated id that is kept', async () => {
  const store = createMemoryStore()
  const id = await worldId(emptyDefinition(), store)
  assert.match(id, /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.equal(await worldId(emptyDefinition(), store), id)
})

test('of several concurrent starts on an empty store, one generates the id', async () => {
  const store = createMemoryStore()
  const ids = await Promise.all([1, 2, 3].map(() => worldId(emptyDefinition(), store)))
  assert.equal(new Set(ids).size, 1)
})

test('a defined id is kept even after the definition no longer contains it', async () => {
  const store = createMemoryStore()
  assert.equal(await worldId({ ...emptyDefinition(), id: 'urn:x:1' }, store), 'urn:x:1')
  assert.equal(await worldId(emptyDefinition(), store), 'urn:x:1')
})

test('a store that belongs to another world is refused', async () => {
  const store = createMemoryStore()
  await worldId({ ...emptyDefinition(), id: 'urn:x:1' }, store)
  const refused = worldId({ ...emptyDefinition(), id: 'urn:x:2' }, store)
  await assert.rejects(refused, { name: 'WorldIdFault', defined: 'urn:x:2', stored: 'urn:x:1' })
})
