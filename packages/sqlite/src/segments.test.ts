import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { SearchDocument } from '../../search/src/port/document.ts'
import { SegmentFile, type SegmentReads } from '../../search/src/port/segment-store.ts'
import { IndexReader } from '../../search/src/read/index-reader.ts'
import { IndexWriter } from '../../search/src/write/index-writer.ts'
import { clearIndex, SEGMENT_CHECKSUM, SEGMENT_SCHEMA, segmentStore } from './segments.ts'

const searched = (store: SegmentReads, text: string) =>
  new IndexReader(store).search({ text, limit: 9, budgetMs: 60_000 }).hits.map(({ key }) => key.id)

test('a rolled-back write is never confused with a later one', () => {
  const { db, store, writer } = emptyIndex()
  const write = (id: string, title: string, end: 'COMMIT' | 'ROLLBACK') => {
    db.exec('BEGIN')
    writer.change([], [moon(id, title)])
    db.exec(end)
    if (end === 'ROLLBACK') writer.forget()
  }
  for (const title of ['Io', 'Europa', 'Ganymede']) write(title, title, 'COMMIT')
  // The fourth segment triggers a merge, which reads that segment.
  write('undone', 'Callisto', 'ROLLBACK')
  write('written', 'Titan', 'COMMIT')
  assert.deepEqual(
    ['callisto', 'titan', 'io'].map((text) => searched(store, text)),
    [[], ['written'], ['Io']],
  )
  db.close()
})

test('a document whose deletion failed is still found', () => {
  const { db, store } = emptyIndex()
  let full = false
  const writer = new IndexWriter({
    ...store,
    setTombstones(segment, row, bits) {
      if (full) throw new Error('the disk is full')
      store.setTombstones(segment, row, bits)
    },
  })
  const [io, europa] = [moon('a', 'Io'), moon('b', 'Europa')]
  writer.change([], [io, europa])
  full = true
  db.exec('BEGIN')
  assert.throws(() => writer.change([io], []), /full/)
  db.exec('ROLLBACK')
  writer.forget()
  full = false
  writer.change([europa], [])
  assert.deepEqual(
    ['io', 'europa'].map((text) => searched(store, text)),
    [['a'], []],
  )
  db.close()
})

test('segment numbers are never reused', () => {
  const { db, store } = emptyIndex()
  const numbers: number[] = []
  for (let count = 0; count < 9; count += 1) {
    const segment = store.create()
    store.append(segment, SegmentFile.terms, 0, Uint8Array.of(count))
    numbers.push(segment)
    store.discard(segment)
    while (store.sweep(1));
  }
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(numbers).size, 9)
  assert.equal(db.prepare('SELECT count(*) AS n FROM search_rows').get()?.['n'], 0)
  db.close()
})

test('segment numbers up to 2^39 leave room for their rows', () => {
  const { db, store, writer } = emptyIndex()
  db.exec(`INSERT INTO sqlite_sequence VALUES ('search_segments', ${2 ** 39 - 20})`)
  for (const title of ['Io', 'Europa', 'Ganymede', 'Callisto', 'Titan'])
    writer.change([], [moon(title, title)])
  while (writer.maintain(1));
  assert.deepEqual(
    ['io', 'europa', 'titan'].map((text) => searched(store, text)),
    [['Io'], ['Europa'], ['Titan']],
  )
  const { ids, places } = db
    .prepare('SELECT max(segment) AS ids, max(place) >> 24 AS places FROM search_segments, search_rows')
    .get() as { ids: number; places: number }
  assert.ok(ids > 2 ** 38)
  assert.equal(places, ids)
  db.close()
})

function emptyIndex() {
  const db = new DatabaseSync(':memory:')
  db.exec(SEGMENT_SCHEMA + SEGMENT_CHECKSUM)
  clearIndex(db)
  const store = segmentStore(db)
  return { db, store, writer: new IndexWriter(store) }
}

function moon(id: string, title: string): SearchDocument {
  return { type: 'sol:moon', id, title, aliases: [], summary: '', text: '' }
}
