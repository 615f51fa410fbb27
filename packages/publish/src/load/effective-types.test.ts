import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore, type Store } from '@worldwright/core/store'
import { withTypeInference } from '@worldwright/entities/types'
import { emptyDefinition } from '../definition/definition.ts'
import { effectiveTypes } from './effective-types.ts'
import { resultOf } from './events.ts'
import { importRecords } from './import-records.ts'
import { loadMetadata } from './loaded-sources.ts'

test('types that are defined, inferred or neither are listed in ascending order', async () => {
  const store = createMemoryStore()
  await withTypeInference(store).write([{ put: { type: 'a:thing', id: 'x', attributes: { a: 1 } } }])
  await store.write([{ put: { type: 'b:bare', id: 'x', attributes: { a: 1 } } }])
  const definition = {
    ...emptyDefinition(),
    types: [
      { type: 'c:own', title: 'Mine' },
      { type: 'a:thing', title: 'T' },
    ],
  }
  assert.deepEqual(await effectiveTypes(definition, store), [
    {
      type: 'a:thing',
      title: 'T',
      schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
    },
    { type: 'b:bare', title: 'Bare', schema: { type: 'object' } },
    { type: 'c:own', title: 'Mine', schema: { type: 'object' } },
  ])
})

/** Loads one entity of each of these types, as from a world's sources. */
async function load(store: Store, previousTypes: readonly string[], ...types: string[]): Promise<void> {
  const text = types.map((type) => JSON.stringify({ type, id: 'x' })).join('\n')
  const bytes = (async function* () {
    yield Buffer.from(`${text}\n`)
  })()
  await resultOf(
    importRecords(store, [{ source: { name: 'x.ndjson', bytes } }], {
      replace: true,
      previousTypes,
      metadata: ({ versions, rejected }) =>
        loadMetadata({
          fingerprint: { definition: 'x', files: 'x' },
          versions: Object.fromEntries(versions),
          rejected,
        }),
    }),
  )
}

test('a type emptied by a load is listed as long as the definition names it', async () => {
  const store = createMemoryStore()
  await load(store, [], 'sol:moon', 'sol:planet')
  await load(store, ['sol:moon'], 'sol:planet')
  const listed = async (definition: object) =>
    (await effectiveTypes({ ...emptyDefinition(), ...definition }, store)).map(({ type }) => type)
  assert.deepEqual(await listed({}), ['sol:planet'])
  const both = ['sol:moon', 'sol:planet']
  assert.deepEqual(await listed({ types: [{ type: 'sol:moon' }] }), both)
  assert.deepEqual(await listed({ sources: [{ file: 'moons.csv', type: 'sol:moon' }] }), both)
  await store.write([{ put: { type: 'sol:moon', id: 'io', attributes: {} } }])
  assert.deepEqual(await listed({}), both)
})

test('a type emptied by other writers remains listed', async () => {
  const store = createMemoryStore()
  await load(store, [], 'sol:moon')
  await store.write([{ delete: { type: 'sol:moon', id: 'x' } }])
  const types = await effectiveTypes(emptyDefinition(), store)
  assert.deepEqual(
    types.map(({ type }) => type),
    ['sol:moon'],
  )
})
