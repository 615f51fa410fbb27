import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../../test/rounds.ts'
import { DocumentAnalyser } from '../../search/src/document-analyser.ts'
import { createMemorySegments } from '../../search/src/memory-segments.ts'
import type { SearchDocument } from '../../search/src/port/document.ts'
import type { Query, Result, ScoredKey } from '../../search/src/port/search-query.ts'
import { IndexReader } from '../../search/src/read/index-reader.ts'
import { NO_CONTEXT } from '../../search/src/read/query-context.ts'
import { question, valuedDocument } from '../../search/src/reference/precise.fixture.ts'
import {
  dice,
  documentOf,
  queryOf,
  rulesOf,
  vocabularyOf,
} from '../../search/src/reference/random.fixture.ts'
import { Synonyms } from '../../search/src/text/synonyms.ts'
import { IndexWriter } from '../../search/src/write/index-writer.ts'
import { openSearchAddress } from './address.ts'
import { Asked } from './asked.ts'
import { Cluster } from './cluster.ts'
import { documentId, indexDefinition, indexDocument } from './documents.ts'
import { freshIndex } from './feeding.fixture.ts'
import { missingForOpenSearch, type OpenSearchCluster, startOpenSearch } from './opensearch.fixture.ts'
import { canSearch, searchIndex } from './search.ts'
import { WordLog } from './word-log.ts'

const skip = missingForOpenSearch()
let nodes: OpenSearchCluster

/** Searches the same documents in memory (`here`) and in a cluster (`there`). */
interface Both {
  here(query: Query): Result<ScoredKey>
  there(query: Query): Promise<Result<ScoredKey>>
}
let valued: Both
let texts: Both
const roll = dice(5)
const word = vocabularyOf(roll, 300)
/** Synonyms, words for types, and words for orders of the valued documents. */
const synonyms = new Synonyms([
  // Phrases score differently: by their first word.
  ...rulesOf(roll, word).map(({ to, ...rule }) => ({
    ...rule,
    to: to.filter((text) => !text.includes(' ')),
  })),
  { from: ['red'], to: [], type: 't:a' },
  ...['t:a', 't:b', 't:c'].map((type) => ({
    from: ['giant'],
    to: [],
    type,
    order: { property: 'one', descending: type === 't:b' },
  })),
])

let titles: readonly string[] = []

before(async () => {
  if (skip !== undefined) return
  nodes = await startOpenSearch()
  valued = await bothOf(Array.from({ length: 400 }, (_, at) => valuedDocument(roll, `d${at}`)))
  const documents = Array.from({ length: 600 }, (_, at) => documentOf(roll, word, `d${at}`))
  titles = documents.map(({ title }) => title)
  texts = await bothOf(documents)
})
after(() => nodes?.end())

async function bothOf(documents: readonly SearchDocument[]): Promise<Both> {
  const segments = createMemorySegments()
  new IndexWriter(segments).build(documents)
  const reader = new IndexReader(segments)
  const address = openSearchAddress(freshIndex(nodes, 'shards=3&replicas=0'))
  const cluster = new Cluster(address)
  const log = new WordLog(cluster, address.index)
  await log.create()
  await cluster.do(address.index, { method: 'PUT', body: indexDefinition(address, {}) })
  const analyser = new DocumentAnalyser()
  const indexed = documents.map((document) => indexDocument(document, analyser.analyse(document)))
  const body = indexed.flatMap((document) => [{ index: { _id: documentId(document) } }, document])
  const { errors } = await cluster.do(`${address.index}/_bulk?refresh=true`, { body })
  assert.equal(errors, false)
  const terms = new Map<string, number>()
  const spellings = new Map<string, number>()
  for (const document of documents) {
    const analysed = analyser.analyse(document)
    for (const { term } of analysed.terms) terms.set(term, (terms.get(term) ?? 0) + 1)
    for (const word of analysed.spellings) spellings.set(word, (spellings.get(word) ?? 0) + 1)
  }
  await log.commit({ documents: documents.length, terms, spellings }, 'end', undefined)
  const seen = { index: address.index, words: log.words, reached: '' }
  return {
    here: (query) => reader.search(query, { synonyms }),
    there: (query) =>
      searchIndex(new Asked(cluster, address.index, 60_000, undefined), seen, query, {
        ...NO_CONTEXT,
        synonyms,
      }),
  }
}

/** Returns a result without its scores, which differ between engines. */
function told({ hits, last, ...numbers }: Result<ScoredKey>) {
  return { hits: hits.map(({ key }) => key), last: last && { type: last.type, id: last.id }, ...numbers }
}

test('a cluster returns the same results as an index in memory', { skip }, async () => {
  await fc.assert(
    fc.asyncProperty(question, async (query) => {
      fc.pre(canSearch(query))
      assert.deepEqual(told(await valued.there(query)), told(valued.here(query)))
    }),
    { numRuns: rounds(60, 120), seed: 3 },
  )
})

test('words, misspellings and prefixes return the same hits in the same order', { skip }, async () => {
  for (let left = rounds(60, 150); left > 0; left--) {
    const query = { text: queryOf(roll, word), unfinished: left % 2 === 0, limit: 20, budgetMs: 60_000 }
    assert.deepEqual(told(await texts.there(query)), told(texts.here(query)), query.text)
  }
})

test('names within a question return the same hits in the same order', { skip }, async () => {
  for (let left = rounds(20, 60); left > 0; left--) {
    const text = `${word(roll)} ${titles[roll(titles.length)]} ${word(roll)}`
    const types = left % 3 === 0 ? ['t:a', 't:b'] : undefined
    const query = { text, types, limit: 20, budgetMs: 60_000 }
    assert.deepEqual(told(await texts.there(query)), told(texts.here(query)), `${text} in ${types}`)
  }
})

test('words for types and orders return the same hits in the same order', { skip }, async () => {
  for (const text of ['giant', 'red giant', 'largest red giant', 'giant dwarf', 'ice giant red', 'red ice']) {
    for (const types of [undefined, ['t:a'], ['t:b', 't:c']]) {
      const query = { text, types, limit: 20, budgetMs: 60_000 }
      const here = valued.here(query)
      assert.ok(here.hits.length > 0)
      assert.equal(here.why !== undefined, text !== 'red ice' || types?.[0] !== 't:b', `${text} in ${types}`)
      assert.deepEqual(told(await valued.there(query)), told(here), `${text} in ${types}`)
    }
  }
})

test('sorted results can be read page by page in any sort order', { skip }, async () => {
  await fc.assert(
    fc.asyncProperty(question, async (asked) => {
      fc.pre(canSearch(asked) && (asked.sort?.length ?? 0) > 0)
      const { facets: _, ...query } = { ...asked, limit: 37 }
      const whole = valued.here({ ...query, limit: 1_000 })
      const ids: string[] = []
      for (let after: Query['after'], pages = 0; pages < 20; pages++) {
        const page = await valued.there({ ...query, after })
        ids.push(...page.hits.map(({ key }) => key.id))
        after = page.last
        if (!after) break
      }
      assert.deepEqual(
        ids,
        whole.hits.map(({ key }) => key.id),
      )
    }),
    { numRuns: rounds(10, 100), seed: 4 },
  )
})
