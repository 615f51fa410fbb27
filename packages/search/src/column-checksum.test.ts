import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checksumOfColumns } from './column-checksum.ts'
import { Consecutive } from './columns/packed.ts'
import { checksumOfDocuments, checksumOfIndex } from './index-checksum.ts'
import { createMemorySegments } from './memory-segments.ts'
import type { SearchDocument } from './port/document.ts'
import { IndexReader } from './read/index-reader.ts'
import type { Segment } from './read/segment.ts'
import { valuedDocument } from './reference/precise.fixture.ts'
import { dice } from './reference/random.fixture.ts'
import { IndexWriter } from './write/index-writer.ts'

test('after updates and merges, the checksum of an index equals that of its documents', () => {
  const roll = dice(11)
  const store = createMemorySegments()
  const writer = new IndexWriter(store)
  const living = new Map<string, SearchDocument>()
  for (let round = 0; round < 30; round++) {
    const ids = new Set(Array.from({ length: 20 }, () => `d${roll(150)}`))
    const documents = [...ids].map((id) => valuedDocument(roll, id))
    writer.change(
      [...ids].flatMap((id) => living.get(id) ?? []),
      documents,
    )
    for (const document of documents) living.set(document.id, document)
  }
  const wanted = checksumOfDocuments(living.values())
  assert.deepEqual(checksumOfIndex(segmentsOf(store)), wanted)
  writer.mergeAll()
  assert.deepEqual(checksumOfIndex(segmentsOf(store)), wanted)
  const [first] = living.values()
  assert.ok(first?.values?.length)
  living.set(first.id, { ...first, values: first.values.slice(1) })
  assert.notDeepEqual(checksumOfDocuments(living.values()), wanted)
})

test('a column that lists different entries by document and by value is inconsistent', () => {
  const store = createMemorySegments()
  const documents = ['a', 'b', 'c'].map((id, at) => ({
    ...{ type: 't:a', id, title: '', aliases: [], summary: '', text: '' },
    values: [{ path: '["n"]', kind: 'number' as const, value: 3 - at }],
  }))
  new IndexWriter(store).change([], documents)
  const [segment] = segmentsOf(store)
  assert.ok(segment)
  const hashes = Int32Array.of(1, 2, 3)
  assert.equal(checksumOfColumns(segment, hashes).entries, 3)
  const [column] = segment.columns.all()
  assert.ok(column)
  const sound = column.open()
  const start = (ordinal: number) => sound.start(ordinal)
  const wrong = { ...sound, start, sorted: new Consecutive(0, 3) }
  const columns = { all: () => [{ ...column, open: () => wrong }] }
  const contradicting: Segment = Object.create(segment, {
    columns: { value: columns },
    head: { value: segment.head },
    isDeleted: { value: () => false },
  })
  assert.equal(checksumOfColumns(contradicting, hashes).entries, -1)
})

function segmentsOf(store: ReturnType<typeof createMemorySegments>): readonly Segment[] {
  const reader = new IndexReader(store)
  reader.refresh()
  return reader.segments
}
