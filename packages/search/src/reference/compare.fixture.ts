/** Compares the search results of indexes with those of the naive reference implementation. */
import assert from 'node:assert/strict'
import type { Query } from '../port/search-query.ts'
import type { IndexReader } from '../read/index-reader.ts'
import { plainQuery, type Scores } from './plain-query.fixture.ts'
import { keyText, type PlainDocuments } from './plain-values.fixture.ts'

/** Indexes that must contain exactly these documents. */
export class Comparison {
  readonly #readers: readonly [IndexReader, ...IndexReader[]]
  readonly #documents: PlainDocuments
  readonly #scores = new Map<string, Scores>()

  constructor(documents: PlainDocuments, ...readers: [IndexReader, ...IndexReader[]]) {
    this.#documents = documents
    this.#readers = readers
  }

  /** Compares up to `mostPages` result pages of every index with those of the reference implementation. */
  compare(query: Query, mostPages: number): void {
    let asked = query
    let pages = 0
    for (const expected of plainQuery(query, this.#documents, this.#scoresOf(query))) {
      for (const reader of this.#readers) {
        const { hits, matched: _, partial, totalIsLowerBound, ...found } = reader.search(asked)
        assert.deepEqual({ ...found, hits: hits.map(({ key }) => key) }, expected)
        assert.deepEqual([partial, totalIsLowerBound], [false, false])
      }
      if (++pages === mostPages) return
      asked = { ...query, ...(expected.last && { after: expected.last }) }
    }
  }

  /** Returns the scores that the first index assigns to a query text. The ranking has its own test. */
  #scoresOf({ text = '', types }: Query): Scores | undefined {
    if (text === '') return undefined
    const name = JSON.stringify([text, types])
    const known = this.#scores.get(name)
    if (known) return known
    const { hits } = this.#readers[0].search({ text, types, limit: 1e6, budgetMs: 60_000 })
    const scoreOf = new Map(hits.map(({ key, score }) => [keyText(key), score]))
    const scores = this.#documents.keys.map((key) => scoreOf.get(key))
    this.#scores.set(name, scores)
    return scores
  }
}
