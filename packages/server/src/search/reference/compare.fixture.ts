/** One question, asked of an index and of the plain program. */
import assert from 'node:assert/strict'
import type { SortPosition } from '../port/conditions.ts'
import type { SearchDocument } from '../port/document.ts'
import type { Query } from '../port/search-query.ts'
import type { IndexReader } from '../read/index-reader.ts'
import { plainQuery } from './plain-query.fixture.ts'

/** Compares the first pages of a result, and its numbers, with what the plain program says. */
export function compareOne(
  reader: IndexReader,
  all: readonly SearchDocument[],
  query: Query,
  most: number,
): void {
  const { text = '', types } = query
  const isWalkable = query.limit > 0
  // Which documents a text finds, and how well, is for the test of the ranking; here it is taken as it is, without conditions.
  const searched = text === '' ? undefined : reader.search({ text, types, limit: 100_000, budgetMs: 60_000 })
  const scores = new Map(searched?.hits.map(({ key, score }) => [`${key.type} ${key.id}`, score]))
  const candidates = all.flatMap((document) => {
    const score = searched ? scores.get(`${document.type} ${document.id}`) : 0
    return score === undefined ? [] : [{ document, score }]
  })
  let after: SortPosition | undefined
  for (let pages = 0; pages < most; pages++) {
    const asked = { ...query, ...(after && { after }) }
    const expected = plainQuery(asked, candidates, all)
    const { hits, matched: _, partial, totalIsLowerBound, ...found } = reader.search(asked)
    assert.deepEqual({ ...found, hits: hits.map(({ key }) => key) }, { ...expected })
    assert.deepEqual([partial, totalIsLowerBound], [false, false])
    after = expected.last
    if (!after || !isWalkable) return
  }
}
