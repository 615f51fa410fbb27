import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore, type Store } from '@worldwright/core/store'
import { withTypeInference } from '@worldwright/entities/types'
import { emptyDefinition } from '../definition/definition.ts'
import { effectiveTypes } from './effective-types.ts'
import { resultOf } from './events.ts'
import { importRecords } from './import-records.ts'
import { loadMetadata } from './loaded-sources.ts'

test('a world lists defined, derived and bare types, ascending', async () => {
  const storage = createMemoryStore()
  await withTypeInference(storage).write([{ put: { type: 'a:thing', id: 'x', attributes: { a: 1 } } }])
  await storage.write([{ put: { type: 'b:bare', id: 'x', attributes: { a: 1 } } }])
  const definition = {
    ...emptyDefinition(),
    types: [
      { type: 'c:own', title: 'Mine' },
      { type: 'a:thing', title: 'T' },
    ],
  }
  assert.deepEqual(await effectiveTypes(definition, storage), [
    {
      type: 'a:thing',
      title: 'T',
      schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
    },
    { type: 'b:bare', title: 'Bare', schema: { type: 'object' } },
    { type: 'c:own', title: 'Mine', schema: { type: 'object' } },
  ])
})

/** Loads one entity of each of these types, as the sources of a world. */
async function load(storage: Store, previousTypes: readonly string[], ...types: string[]): Promise<void> {
  const text = types.map((type) => JSON.stringify({ type, id: 'x' })).join('\n')
  const bytes = (async function* () {
    yield Buffer.from(`${text}\n`)
  })()
  await resultOf(
    importRecords(storage, [{ source: { name: 'x.ndjson', bytes } }], {
      replace: true,
      previousTypes,
      metadata: (loaded) => loadMetadata({ definition: 'x', files: 'x' }, [], loaded),
    }),
  )
}

test('a type that a load emptied is listed as long as the definition names it', async () => {
  const storage = createMemoryStore()
  await load(storage, [], 'sol:moon', 'sol:planet')
  await load(storage, ['sol:moon'], 'sol:planet')
  const listed = async (definition: object) =>
    (await effectiveTypes({ ...emptyDefinition(), ...definition }, storage)).map(({ type }) => type)
  assert.deepEqual(await listed({}), ['sol:planet'])
  const both = ['sol:moon', 'sol:planet']
  assert.deepEqual(await listed({ types: [{ type: 'sol:moon' }] }), both)
  assert.deepEqual(await listed({ sources: [{ file: 'moons.csv', type: 'sol:moon' }] }), both)
  await storage.write([{ put: { type: 'sol:moon', id: 'io', attributes: {} } }])
  assert.deepEqual(await listed({}), both)
})

test('a type that others emptied stays listed, since no load follows to compose the world again', async () => {
  const storage = createMemoryStore()
  await load(storage, [], 'sol:moon')
  await storage.write([{ delete: { type: 'sol:moon', id: 'x' } }])
  const types = await effectiveTypes(emptyDefinition(), storage)
  assert.deepEqual(
    types.map(({ type }) => type),
    ['sol:moon'],
  )
})
