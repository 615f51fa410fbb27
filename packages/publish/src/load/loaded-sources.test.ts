import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { Entity } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'
import { createMemoryStore } from '@worldwright/core/store'
import { emptyDefinition } from '../definition/definition.ts'
import { resultOf } from './events.ts'
import { digested, digestsOf, fingerprintOf } from './fingerprint.ts'
import { importRecords } from './import-records.ts'
import { loadedSources, loadMetadata } from './loaded-sources.ts'
import type { ImportOptions } from './options.ts'
import { definedSources } from './sources.ts'

const moon = (id: string): Entity => ({ type: 'sol:moon', id, attributes: {} })
const planet = (id: string): Entity => ({ type: 'sol:planet', id, attributes: {} })

/** Loads these lines as a world's only source, as when the world is served. */
async function load(store: Store, lines: readonly (Entity | string)[], options: ImportOptions = {}) {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const bytes = async function* () {
    yield Buffer.from(text)
  }
  const before = await loadedSources(store)
  const events = importRecords(store, [{ source: { name: 'x.ndjson', bytes: bytes() } }], {
    replace: true,
    files: {},
    previousTypes: Object.keys(before?.versions ?? {}),
    metadata: ({ versions, rejected, kept }) =>
      loadMetadata({
        fingerprint: { definition: 'x', files: 'x' },
        versions: Object.fromEntries(versions),
        read: [{ name: 'x.ndjson', types: [] }],
        rejected,
        kept,
      }),
    ...options,
  })
  return resultOf(events)
}

async function idsOf(store: Store, type: string): Promise<string[]> {
  return (await store.list(type, { limit: 100 })).entities.map(({ id }) => id)
}

test('entities missing from the sources are deleted, even if their whole type is missing', async () => {
  const store = createMemoryStore()
  await load(store, [moon('io'), moon('europa'), planet('mars')])
  await load(store, [moon('io')])
  assert.deepEqual([await idsOf(store, 'sol:moon'), await idsOf(store, 'sol:planet')], [['io'], []])
})

test('only entities written by other writers survive every later load', async () => {
  const store = createMemoryStore()
  await load(store, [moon('io')])
  await store.write([{ put: moon('written') }])
  await load(store, [moon('io'), moon('europa')])
  await load(store, [moon('europa')])
  assert.deepEqual(await idsOf(store, 'sol:moon'), ['europa', 'written'])
})

test("entities written by other writers before a type's first load are kept", async () => {
  const store = createMemoryStore()
  await store.write([{ put: moon('written') }])
  await load(store, [moon('io')])
  await store.write([{ put: planet('written') }])
  await load(store, [moon('io'), planet('mars')])
  assert.deepEqual(await idsOf(store, 'sol:moon'), ['io', 'written'])
  assert.deepEqual(await idsOf(store, 'sol:planet'), ['mars', 'written'])
})

test('entities written by other writers during a load are kept', async () => {
  const store = createMemoryStore()
  await load(store, [moon('io')])
  let decided = 0
  const meddling: Store = {
    ...store,
    async types() {
      const states = await store.types()
      if (decided++ === 0) await store.write([{ put: moon('written') }])
      return states
    },
  }
  await load(meddling, [moon('europa')])
  assert.equal(decided, 2)
  assert.deepEqual(await idsOf(store, 'sol:moon'), ['europa', 'written'])
})

test('a type removed alongside an unreadable record is deleted by the next clean load', async () => {
  const store = createMemoryStore()
  await load(store, [moon('io'), planet('mars')])
  const { kept } = await load(store, [moon('io'), '{'])
  assert.deepEqual(kept, [{ type: 'sol:planet', count: 1, why: 'unreadable' }])
  assert.deepEqual(await idsOf(store, 'sol:planet'), ['mars'])
  await load(store, [moon('io')])
  assert.deepEqual(await idsOf(store, 'sol:planet'), [])
})

test('concurrent loads of the same sources do not mistake each other for other writers', async () => {
  const store = createMemoryStore()
  const lines = [moon('io'), moon('europa')]
  await load(store, lines)
  let decided = 0
  const meddling: Store = {
    ...store,
    async types() {
      const states = await store.types()
      if (decided++ === 0) await load(store, [moon('io'), moon('thebe')])
      return states
    },
  }
  await load(meddling, [moon('io')])
  assert.deepEqual(await idsOf(store, 'sol:moon'), ['io'])
})

test('the digest of a source covers all its files, and is available once all are read', async () => {
  const mapping = {}
  const source = (text: string) => ({
    mapping,
    source: { name: 'a', bytes: Readable.from([Buffer.from(text)]) },
  })
  const read = digested([source('first'), source('second')])
  const readOne = async (at: number) => {
    for await (const _ of read.sources[at]?.source.bytes ?? []);
  }
  await readOne(0)
  assert.equal(read.digests().get(mapping), undefined)
  await readOne(1)
  const same = await digestsOf([source('first'), source('second')])
  assert.ok(same.get(mapping))
  assert.deepEqual(read.digests(), same)
  assert.notDeepEqual(await digestsOf([source('firsts'), source('econd')]), same)
})

test('a path that is not a file cannot be a source', async () => {
  const definition = { ...emptyDefinition(), sources: [{ file: 'null' }] }
  await assert.rejects(definedSources({ definition, folder: '/dev' }), {
    name: 'SourceFault',
    message: /is not a file/,
  })
})

test('files that the readers of an earlier release read otherwise are read again', () => {
  const definition = emptyDefinition()
  const { sources, missing } = definition
  const earlier = hash('sha256', JSON.stringify([4, sources, missing, [], 'reject']), 'base64url')
  const now = fingerprintOf({ definition, onInvalid: 'reject' }, new Map())
  assert.notEqual(now.definition, earlier)
})
