import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { emptyDefinition } from './definition.ts'
import { worldId } from './world-id.ts'

test('without an id in the definition, one is generated once and kept', async () => {
  const storage = createMemoryStore()
  const id = await worldId(emptyDefinition(), storage)
  assert.match(id, /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.equal(await worldId(emptyDefinition(), storage), id)
})

test('the id of the definition is kept, and stays when the definition no longer has it', async () => {
  const storage = createMemoryStore()
  assert.equal(await worldId({ ...emptyDefinition(), id: 'urn:x:1' }, storage), 'urn:x:1')
  assert.equal(await worldId(emptyDefinition(), storage), 'urn:x:1')
})

test('a store of another world is refused', async () => {
  const storage = createMemoryStore()
  await worldId({ ...emptyDefinition(), id: 'urn:x:1' }, storage)
  const refused = worldId({ ...emptyDefinition(), id: 'urn:x:2' }, storage)
  await assert.rejects(refused, { name: 'WorldIdFault', defined: 'urn:x:2', stored: 'urn:x:1' })
})
