import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStorage } from '../../storage/memory.ts'
import { importRecords } from './import-records.ts'
import type { ImportOptions, ImportProgress, ImportSource } from './run.ts'

function source(lines: readonly (object | string)[], type?: string): ImportSource {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const bytes = Buffer.from(text)
  const chunks = async function* () {
    yield bytes
  }
  return { source: { name: 'test.ndjson', size: bytes.length, bytes: chunks() }, type }
}

const EUROPA = { type: 'sol:moon', id: 'europa', name: 'Europa' }
const IO = { type: 'sol:moon', id: 'io', name: 'Io' }

test('good records are loaded, bad ones counted and told', async () => {
  const storage = createMemoryStorage()
  const told: number[] = []
  const bad = Array.from({ length: 25 }, () => '{')
  const onReject: ImportOptions['onReject'] = ({ line }) => told.push(line)
  const result = await importRecords(storage, [source([EUROPA, ...bad, IO])], { onReject })
  const { rejections, references, ...numbers } = result
  assert.deepEqual(references, { dangling: [], count: 0, incomplete: false })
  assert.deepEqual(numbers, {
    created: 2,
    changed: 0,
    unchanged: 0,
    deleted: 0,
    rejected: 25,
    warned: 0,
    types: ['sol:moon'],
  })
  assert.equal(rejections.length, 20)
  assert.deepEqual([told.length, told[0], told[24]], [25, 2, 26])
  assert.equal(JSON.parse((await storage.get('sol:moon', 'io'))?.json ?? '').title, 'Io')
})

test('loading the same again changes nothing', async () => {
  const storage = createMemoryStorage()
  await importRecords(storage, [source([EUROPA, IO])])
  const { created, changed, unchanged } = await importRecords(storage, [
    source([EUROPA, { ...IO, name: 'Io!' }]),
  ])
  assert.deepEqual({ created, changed, unchanged }, { created: 0, changed: 1, unchanged: 1 })
})

test('replacing deletes what the sources of a type have not, and leaves other types', async () => {
  const storage = createMemoryStorage()
  await importRecords(storage, [source([EUROPA, IO, { type: 'sol:planet', id: 'mars' }])])
  const { deleted } = await importRecords(storage, [source([EUROPA])], { replace: true })
  assert.equal(deleted, 1)
  assert.equal(await storage.get('sol:moon', 'io'), undefined)
  assert.ok(await storage.get('sol:planet', 'mars'))
})

test('replacing empties the type of an empty source, but not that of a wholly bad one', async () => {
  const storage = createMemoryStorage()
  await importRecords(storage, [source([EUROPA])])
  await importRecords(storage, [source(['{'], 'sol:moon')], { replace: true })
  assert.ok(await storage.get('sol:moon', 'europa'))
  await importRecords(storage, [source([], 'sol:moon')], { replace: true })
  assert.equal(await storage.get('sol:moon', 'europa'), undefined)
})

test('a source that breaks loads nothing', async () => {
  const storage = createMemoryStorage()
  const breaking = async function* () {
    yield Buffer.from(`${JSON.stringify(EUROPA)}\n`)
    throw new Error('disk on fire')
  }
  const failing = importRecords(storage, [source([IO]), { source: { name: 'b', bytes: breaking() } }])
  await assert.rejects(failing, { name: 'SourceFault', message: 'b: disk on fire.' })
  assert.equal(await storage.get('sol:moon', 'io'), undefined)
})

test('an aborted import loads nothing', async () => {
  const storage = createMemoryStorage()
  await assert.rejects(importRecords(storage, [source([IO])], { signal: AbortSignal.abort() }), {
    name: 'AbortError',
  })
  assert.equal(await storage.get('sol:moon', 'io'), undefined)
})

test('progress ends at all bytes and all records', async () => {
  const seen: ImportProgress[] = []
  const one = source([EUROPA, '{', IO])
  await importRecords(createMemoryStorage(), [one], { onProgress: (progress) => seen.push(progress) })
  assert.deepEqual(seen.at(-1), { bytes: one.source.size, totalBytes: one.source.size, records: 3 })
})

test('an id that is not portable is loaded and told', async () => {
  const lines: number[] = []
  const spaced = { ...IO, id: 'i o' }
  await importRecords(createMemoryStorage(), [source([EUROPA, spaced])], {
    onWarning: ({ line }) => lines.push(line),
  })
  assert.deepEqual(lines, [2])
})
