import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { Entity } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'
import { createMemoryStore } from '@worldwright/core/store'
import { emptyDefinition } from '../definition/definition.ts'
import { resultOf } from './events.ts'
import { digested, fingerprintOf } from './fingerprint.ts'
import { importRecords } from './import-records.ts'
import { loadedSources, loadMetadata } from './loaded-sources.ts'
import type { ImportOptions } from './options.ts'
import { definedSources } from './sources.ts'

const moon = (id: string): Entity => ({ type: 'sol:moon', id, attributes: {} })
const planet = (id: string): Entity => ({ type: 'sol:planet', id, attributes: {} })

/** Loads these lines as the one source of a world, as serving it does. */
async function load(storage: Store, lines: readonly (Entity | string)[], options: ImportOptions = {}) {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const bytes = async function* () {
    yield Buffer.from(text)
  }
  const before = await loadedSources(storage)
  const events = importRecords(storage, [{ source: { name: 'x.ndjson', bytes: bytes() } }], {
    replace: true,
    files: {},
    previousTypes: Object.keys(before?.versions ?? {}),
    metadata: (loaded) => loadMetadata({ definition: 'x', files: 'x' }, ['x.ndjson'], loaded),
    ...options,
  })
  return resultOf(events)
}

async function idsOf(storage: Store, type: string): Promise<string[]> {
  return (await storage.list(type, { limit: 100 })).entities.map(({ id }) => id)
}

test('entities that the sources no longer hold are deleted, also when a type leaves them altogether', async () => {
  const storage = createMemoryStore()
  await load(storage, [moon('io'), moon('europa'), planet('mars')])
  await load(storage, [moon('io')])
  assert.deepEqual([await idsOf(storage, 'sol:moon'), await idsOf(storage, 'sol:planet')], [['io'], []])
})

test('entities that others wrote survive every later load, and no others do', async () => {
  const storage = createMemoryStore()
  await load(storage, [moon('io')])
  await storage.write([{ put: moon('written') }])
  await load(storage, [moon('io'), moon('europa')])
  await load(storage, [moon('europa')])
  assert.deepEqual(await idsOf(storage, 'sol:moon'), ['europa', 'written'])
})

test('entities that others wrote before the first load, or before a type was added, stay', async () => {
  const storage = createMemoryStore()
  await storage.write([{ put: moon('written') }])
  await load(storage, [moon('io')])
  await storage.write([{ put: planet('written') }])
  await load(storage, [moon('io'), planet('mars')])
  assert.deepEqual(await idsOf(storage, 'sol:moon'), ['io', 'written'])
  assert.deepEqual(await idsOf(storage, 'sol:planet'), ['mars', 'written'])
})

test('entities that others write during a load stay', async () => {
  const storage = createMemoryStore()
  await load(storage, [moon('io')])
  let decided = 0
  const meddling: Store = {
    ...storage,
    async types() {
      const states = await storage.types()
      if (decided++ === 0) await storage.write([{ put: moon('written') }])
      return states
    },
  }
  await load(meddling, [moon('europa')])
  assert.equal(decided, 2)
  assert.deepEqual(await idsOf(storage, 'sol:moon'), ['europa', 'written'])
})

test('a type that left while a record could not be read leaves with the next clean load', async () => {
  const storage = createMemoryStore()
  await load(storage, [moon('io'), planet('mars')])
  const { kept } = await load(storage, [moon('io'), '{'])
  assert.deepEqual(kept, [{ type: 'sol:planet', count: 1, why: 'unreadable' }])
  assert.deepEqual(await idsOf(storage, 'sol:planet'), ['mars'])
  await load(storage, [moon('io')])
  assert.deepEqual(await idsOf(storage, 'sol:planet'), [])
})

test('two concurrent loads of the same sources do not take each other for other writers', async () => {
  const storage = createMemoryStore()
  const lines = [moon('io'), moon('europa')]
  await load(storage, lines)
  let decided = 0
  const meddling: Store = {
    ...storage,
    async types() {
      const states = await storage.types()
      if (decided++ === 0) await load(storage, [moon('io'), moon('thebe')])
      return states
    },
  }
  await load(meddling, [moon('io')])
  assert.deepEqual(await idsOf(storage, 'sol:moon'), ['io'])
})

test('the digest of sources is that of the bytes read, once all are read', async () => {
  const source = (text: string) => ({ name: 'a', bytes: Readable.from([Buffer.from(text)]) })
  const read = digested([source('first'), source('second')])
  const readOne = async (at: number) => {
    for await (const _ of read.sources[at]?.bytes ?? []);
  }
  await readOne(0)
  assert.equal(read.digest(), undefined)
  await readOne(1)
  const same = await fingerprintOf(emptyDefinition(), [source('first'), source('second')], 'reject')
  assert.equal(read.digest(), same.files)
  const other = await fingerprintOf(emptyDefinition(), [source('firsts'), source('econd')], 'reject')
  assert.notEqual(read.digest(), other.files)
})

test('a path that is not a file cannot be a source', async () => {
  const definition = { ...emptyDefinition(), sources: [{ file: 'null' }] }
  await assert.rejects(definedSources({ definition, folder: '/dev' }), {
    name: 'SourceFault',
    message: /is not a file/,
  })
})
