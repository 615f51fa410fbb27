import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMemorySegments } from '../memory-segments.ts'
import type { SearchDocument } from '../port/document.ts'
import { IndexReader } from '../read/index-reader.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { compareOne } from './compare.fixture.ts'
import { holds } from './plain-query.fixture.ts'
import { condition, question, valuedDocument } from './precise.fixture.ts'
import { dice } from './random.fixture.ts'

const DOCUMENTS = 700
const QUERIES = 250

test('any question has the answer of a plain program, also after updates, deletes and merges', () => {
  const roll = dice(5)
  const store = createMemorySegments()
  const writer = new IndexWriter(store)
  const living = new Map<string, SearchDocument>()
  const put = (documents: readonly SearchDocument[]) => {
    writer.change(
      documents.flatMap(({ id }) => living.get(id) ?? []),
      documents,
    )
    for (const document of documents) living.set(document.id, document)
  }
  const compare = (seed: number) => {
    const reader = new IndexReader(store)
    reader.refresh()
    const all = [...living.values()]
    fc.assert(
      fc.property(question, (query) => compareOne(reader, all, query, 6)),
      { numRuns: QUERIES, seed },
    )
  }
  put(Array.from({ length: DOCUMENTS }, (_, at) => valuedDocument(roll, `d${at}`)))
  compare(1)
  for (let round = 0; round < 60; round++) {
    const ids = [...new Set(Array.from({ length: 1 + roll(4) }, () => `d${roll(DOCUMENTS + 100)}`))]
    if (roll(3) === 0) {
      writer.change(
        ids.flatMap((id) => living.get(id) ?? []),
        [],
      )
      for (const id of ids) living.delete(id)
    } else put(ids.map((id) => valuedDocument(roll, id)))
    if (round % 9 === 0) writer.maintain(0.2)
  }
  compare(2)
  while (writer.maintain(5)) {}
  compare(3)
  writer.mergeAll()
  compare(4)
})

test('a question whose time is up says so, and gives nothing that its condition does not hold for', () => {
  const roll = dice(6)
  const store = createMemorySegments()
  const documents = Array.from({ length: 300 }, (_, at) => valuedDocument(roll, `d${at}`))
  new IndexWriter(store).change([], documents)
  const reader = new IndexReader(store)
  reader.refresh()
  const byId = new Map(documents.map((document) => [document.id, document]))
  fc.assert(
    fc.property(question, condition, (query, where) => {
      const { partial, totalIsLowerBound, hits, total } = reader.search({ ...query, where, budgetMs: 0 })
      // Where there is nothing to look at, no time is needed.
      const isAsked = query.types?.some((type) => type !== 't:none') ?? true
      if (isAsked) assert.deepEqual([partial, totalIsLowerBound], [true, true])
      assert.ok(total >= 0 && hits.every(({ key }) => holds(where, byId.get(key.id) as SearchDocument)))
    }),
    { numRuns: 100, seed: 1 },
  )
})
