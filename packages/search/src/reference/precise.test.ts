import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../../../test/rounds.ts'
import { createMemorySegments } from '../memory-segments.ts'
import type { Condition, SortKey } from '../port/conditions.ts'
import { pathKey, type SearchDocument } from '../port/document.ts'
import type { ScoredKey } from '../port/search-query.ts'
import { IndexReader } from '../read/index-reader.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { Comparison } from './compare.fixture.ts'
import { PlainDocuments } from './plain-values.fixture.ts'
import { holds } from './plain-where.fixture.ts'
import { condition, question, valuedDocument } from './precise.fixture.ts'
import { dice } from './random.fixture.ts'

const DOCUMENTS = 700
const QUERIES = rounds(80, 250)

test('every query returns what the naive implementation returns, even after updates, deletes and merges', () => {
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
  // One reader sees all states, so that nothing kept of an earlier state may be used in a later one.
  const reader = new IndexReader(store)
  const compare = (seed: number) => {
    reader.refresh()
    const comparison = new Comparison(new PlainDocuments(living.values()), reader)
    fc.assert(
      fc.property(question, (query) => comparison.compare(query, 6)),
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

test('a query that runs out of time returns a partial result whose hits satisfy its condition', () => {
  const roll = dice(6)
  const store = createMemorySegments()
  const documents = Array.from({ length: 300 }, (_, at) => valuedDocument(roll, `d${at}`))
  new IndexWriter(store).change([], documents)
  const reader = new IndexReader(store)
  reader.refresh()
  const plain = new PlainDocuments(documents)
  fc.assert(
    fc.property(question, condition, (query, where) => {
      const { partial, totalIsLowerBound, hits, total } = reader.search({ ...query, where, budgetMs: 0 })
      // A query that searches no documents takes no time.
      const isAsked = query.types?.some((type) => type !== 't:none') ?? true
      if (isAsked) assert.deepEqual([partial, totalIsLowerBound], [true, true])
      const truths = holds(where, plain)
      const isFound = ({ key }: ScoredKey) => truths[plain.all.findIndex(({ id }) => id === key.id)]
      assert.ok(total >= 0 && hits.every(isFound))
    }),
    { numRuns: 100, seed: 1 },
  )
})

test('adding a condition to a text query removes hits and never adds any', () => {
  const store = createMemorySegments()
  const document = (title: string, n: number) => ({
    ...{ type: 't:a', id: `d${n}`, title, aliases: [], summary: '', text: '' },
    values: [{ path: pathKey(['n']), kind: 'number' as const, value: n }],
  })
  // 120 documents contain the words, so looser matches do not count, however few of the 120 satisfy the condition.
  const titles = ['red ice', 'iceberg', 'red iceberg', 'red', 'brown bear']
  const documents = Array.from({ length: 240 }, (_, n) =>
    document(n < 120 ? 'red ice' : (titles[n % 5] ?? ''), n),
  )
  new IndexWriter(store).change([], documents)
  const reader = new IndexReader(store)
  reader.refresh()
  const where: Condition = { op: '>', property: ['n'], value: 110 }
  const sort: SortKey[] = [{ by: 'value', property: ['n'], kind: 'number', descending: false }]
  for (const text of ['ice', 'red ice', 'redice', 'brown', 'brwn', 'brwn bear']) {
    const asked = { text, limit: 300, budgetMs: 10_000, sort }
    const found = reader.search(asked).hits.filter(({ key }) => Number(key.id.slice(1)) > 110)
    const narrowed = reader.search({ ...asked, where })
    assert.deepEqual([narrowed.hits, narrowed.total], [found, found.length], text)
    assert.equal(reader.search({ ...asked, sort: [], where }).hits.length, found.length, text)
  }
})
