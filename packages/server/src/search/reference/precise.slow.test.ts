import { test } from 'node:test'
import fc from 'fast-check'
import { createMemorySegments } from '../memory-segments.ts'
import type { SearchDocument } from '../port/document.ts'
import { IndexReader } from '../read/index-reader.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { compareOne } from './compare.fixture.ts'
import { question, valuedDocument } from './precise.fixture.ts'
import { dice } from './random.fixture.ts'

const DOCUMENTS = 50_000
/** Of each of the states of the index; the plain program takes most of the time. */
const QUERIES = 250

test('1,000 questions over 50,000 documents have the answers of a plain program', () => {
  const roll = dice(17)
  const store = createMemorySegments()
  const writer = new IndexWriter(store)
  const living = new Map<string, SearchDocument>()
  const compare = (seed: number) => {
    const reader = new IndexReader(store)
    reader.refresh()
    const all = [...living.values()]
    const property = fc.property(question, (query) => compareOne(reader, all, query, 2))
    fc.assert(property, { numRuns: QUERIES, seed })
  }
  const change = (ids: readonly string[], isPut: boolean) => {
    const old = ids.flatMap((id) => living.get(id) ?? [])
    const put = isPut ? ids.map((id) => valuedDocument(roll, id)) : []
    writer.change(old, put)
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
  while (writer.maintain(50)) {}
  compare(3)
  writer.mergeAll()
  compare(4)
})
