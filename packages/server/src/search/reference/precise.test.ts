import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMemorySegments } from '../memory-segments.ts'
import type { SortPosition } from '../port/conditions.ts'
import type { SearchDocument } from '../port/document.ts'
import type { Query } from '../port/search-query.ts'
import { IndexReader } from '../read/index-reader.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { plainQuery } from './plain-query.fixture.ts'
import { question, valuedDocument } from './precise.fixture.ts'
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
      fc.property(question, (query) => compareOne(reader, all, query)),
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

/** Compares the whole result, walked page by page, and its numbers. */
function compareOne(reader: IndexReader, all: readonly SearchDocument[], query: Query): void {
  const { text = '', types, where } = query
  const isWalkable = query.limit > 0
  // Which documents a text finds, and how well, is for the test of the ranking; here it is taken as it is.
  const searched =
    text === ''
      ? undefined
      : reader.search({ text, types, ...(where && { where }), limit: 100_000, budgetMs: 60_000 })
  const scores = new Map(searched?.hits.map(({ key, score }) => [`${key.type} ${key.id}`, score]))
  const candidates = all.flatMap((document) => {
    const score = searched ? scores.get(`${document.type} ${document.id}`) : 0
    return score === undefined ? [] : [{ document, score }]
  })
  let after: SortPosition | undefined
  for (let pages = 0; pages < 6; pages++) {
    const asked = { ...query, ...(after && { after }) }
    const expected = plainQuery(asked, candidates, all)
    const { hits, matched: _, partial, totalIsLowerBound, ...found } = reader.search(asked)
    assert.deepEqual({ ...found, hits: hits.map(({ key }) => key) }, { ...expected })
    assert.deepEqual([partial, totalIsLowerBound], [false, false])
    after = expected.last
    if (!after || !isWalkable) return
  }
}
