import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMemorySegments } from '../../search/memory-segments.ts'
import type { SearchDocument } from '../../search/port/document.ts'
import { IndexReader } from '../../search/read/index-reader.ts'
import { Comparison } from '../../search/reference/compare.fixture.ts'
import { PlainDocuments } from '../../search/reference/plain-values.fixture.ts'
import { question, valuedDocument } from '../../search/reference/precise.fixture.ts'
import { dice } from '../../search/reference/random.fixture.ts'
import { IndexWriter } from '../../search/write/index-writer.ts'
import { clearIndex, SEGMENT_CHECKSUM, SEGMENT_SCHEMA, segmentStore } from './segments.ts'

const DOCUMENTS = 50_000
/** Of each of the four states of the indexes. */
const QUERIES = 2_500

test('10,000 questions over 50,000 documents have the answers of a plain program, from memory and from SQLite', () => {
  const roll = dice(17)
  using db = new DatabaseSync(':memory:')
  db.exec(SEGMENT_SCHEMA + SEGMENT_CHECKSUM)
  clearIndex(db)
  const stores = [createMemorySegments(), segmentStore(db)] as const
  const writers = stores.map((store) => new IndexWriter(store))
  const living = new Map<string, SearchDocument>()
  const compare = (seed: number) => {
    const [memory, sqlite] = [new IndexReader(stores[0]), new IndexReader(stores[1])]
    for (const reader of [memory, sqlite]) reader.refresh()
    const comparison = new Comparison(new PlainDocuments(living.values()), memory, sqlite)
    const property = fc.property(question, (query) => comparison.compare(query, 2))
    fc.assert(property, { numRuns: QUERIES, seed })
  }
  const change = (ids: readonly string[], isPut: boolean) => {
    const old = ids.flatMap((id) => living.get(id) ?? [])
    const put = isPut ? ids.map((id) => valuedDocument(roll, id)) : []
    for (const writer of writers) writer.change(old, put)
    for (const id of ids) living.delete(id)
    for (const document of put) living.set(document.id, document)
  }
  const some = (count: number) => [...new Set(Array.from({ length: count }, () => `d${roll(DOCUMENTS)}`))]
  for (let at = 0; at < DOCUMENTS; at += 12_500)
    change(
      Array.from({ length: 12_500 }, (_, place) => `d${at + place}`),
      true,
    )
  compare(1)
  for (let round = 0; round < 20; round++) change(some(500), round % 3 > 0)
  compare(2)
  for (const writer of writers) while (writer.maintain(50)) {}
  compare(3)
  for (const writer of writers) writer.mergeAll()
  compare(4)
})
