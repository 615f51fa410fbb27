import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  IndexReader,
  IndexWriter,
  ROW_BYTES,
  type SearchDocument,
  type SegmentRecord,
  type SegmentStore,
  TOMBSTONE_ROW,
} from './index.ts'

function moon(at: number, title = `moon ${at}`): SearchDocument {
  return { type: 'sol:moon', id: `m${at}`, title, aliases: [], summary: '', text: `crater${at % 7} ice` }
}

/** An engine that stores everything in one map, as a key-value database would, and removes rows lazily. */
function keyValueEngine() {
  const values = new Map<string, Uint8Array>()
  let records: readonly Pick<SegmentRecord, 'id' | 'head'>[] = []
  let unused: number[] = []
  let nextId = 1
  let generation = 0
  function* tombstones(id: number): Generator<readonly [number, Uint8Array]> {
    for (const [key, bits] of values) {
      const [segment, kind, row] = key.split('/')
      if (segment === `${id}` && kind === 'tombstones') yield [Number(row), bits]
    }
  }
  const store: SegmentStore = {
    generation: () => `g${generation}`,
    segments: () => records.map((record) => ({ ...record, tombstones: tombstones(record.id) })),
    row: (id, file, row) => values.get(`${id}/rows/${file}/${row}`) ?? assert.fail('a row is missing'),
    create: () => nextId++,
    append(id, file, row, bytes) {
      assert.ok(bytes.length <= ROW_BYTES)
      values.set(`${id}/rows/${file}/${row}`, bytes)
    },
    publish(id, head, replaced) {
      records = [...records.filter((record) => !replaced.includes(record.id)), { id, head }]
      unused = [...unused, ...replaced]
      generation += 1
    },
    discard(id) {
      unused.push(id)
    },
    giveUp: () => assert.fail('nothing is damaged'),
    setTombstones(id, row, bits) {
      assert.equal(bits.length, TOMBSTONE_ROW / 8)
      values.set(`${id}/tombstones/${row}`, bits)
      generation += 1
    },
    sweep(rows) {
      const stale = [...values.keys()].filter((key) => unused.some((id) => key.startsWith(`${id}/`)))
      for (const key of stale.slice(0, rows)) values.delete(key)
      return stale.length > rows
    },
  }
  return { store, segmentsWithRows: () => new Set([...values.keys()].map((key) => key.split('/')[0])) }
}

test('an engine can be written using only the exports', () => {
  const { store, segmentsWithRows } = keyValueEngine()
  const writer = new IndexWriter(store)
  writer.build(Array.from({ length: 5_000 }, (_, at) => moon(at)))
  const reader = new IndexReader(store)
  const find = (text: string) => reader.search({ text, limit: 3, budgetMs: 60_000 })
  assert.equal(find('crater3').total, 714)
  for (let at = 0; at < 40; at++) writer.change([moon(at)], [moon(at, `renamed ${at}`)])
  assert.equal(find('renamed').total, 0)
  reader.refresh()
  assert.deepEqual(find('renamed 17').hits[0]?.key, { type: 'sol:moon', id: 'm17' })
  assert.equal(find('ice').total, 5_000)
  while (writer.maintain(5)) {}
  assert.equal(segmentsWithRows().size, store.segments().length)
  reader.refresh()
  assert.deepEqual([find('ice').total, reader.documents], [5_000, 5_000])
})

test('a reader evicts the cached rows of merged segments', () => {
  const { store } = keyValueEngine()
  let asked = 0
  const row = (...place: Parameters<typeof store.row>) => {
    asked += 1
    return store.row(...place)
  }
  const writer = new IndexWriter(store)
  for (const at of [0, 1]) writer.change([], [moon(at)])
  const reader = new IndexReader({ ...store, row })
  reader.refresh()
  const before = reader.segments
  const readAll = () => {
    for (const segment of before) assert.equal(segment.documentIterator().next(), true)
  }
  readAll()
  assert.equal(asked, 2)
  readAll()
  assert.equal(asked, 2)
  writer.mergeAll()
  reader.refresh()
  readAll()
  assert.equal(asked, 4)
})

test("a search with an aborted signal throws the signal's reason", () => {
  const { store } = keyValueEngine()
  new IndexWriter(store).build([moon(1)])
  const reader = new IndexReader(store)
  const signal = AbortSignal.abort(new Error('the client left'))
  assert.throws(() => reader.search({ text: 'moon', limit: 1, budgetMs: 100, signal }), /the client left/)
})
