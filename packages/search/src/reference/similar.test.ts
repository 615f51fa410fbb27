import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentTerms } from '../document-terms.ts'
import { createMemorySegments } from '../memory-segments.ts'
import { pathKey, type SearchDocument } from '../port/document.ts'
import type { Query } from '../port/search-query.ts'
import { IndexReader } from '../read/index-reader.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { plainQuery } from './plain-query.fixture.ts'
import { PlainDocuments } from './plain-values.fixture.ts'
import { type Dice, dice, documentOf, vocabularyOf } from './random.fixture.ts'
import { plainlySimilar } from './similar.fixture.ts'

const DOCUMENTS = 200
const QUERIES = 25

test('similar documents match the naive implementation, even after updates, deletes and merges', () => {
  const roll = dice(23)
  const word = vocabularyOf(roll, 300)
  const store = createMemorySegments()
  const writer = new IndexWriter(store)
  const living = new Map<string, SearchDocument>()
  const put = (documents: readonly SearchDocument[]) => {
    const old = documents.flatMap(({ id }) => living.get(id) ?? [])
    writer.change(old, documents)
    for (const document of documents) living.set(document.id, document)
  }
  const numbered = (id: string) => ({
    ...documentOf(roll, word, id),
    values: [{ path: pathKey(['n']), kind: 'number' as const, value: roll(10) }],
  })
  const compare = () => {
    const reader = new IndexReader(store)
    reader.refresh()
    for (let at = 0; at < QUERIES; at++) compareOne(reader, [...living.values()], roll)
  }
  put(Array.from({ length: DOCUMENTS }, (_, at) => numbered(`d${at}`)))
  compare()
  for (let at = 0; at < 60; at++) {
    const id = `d${roll(DOCUMENTS + 50)}`
    if (roll(3) === 0) {
      writer.change([living.get(id) ?? []].flat(), [])
      living.delete(id)
    } else put([numbered(id)])
  }
  compare()
  writer.mergeAll()
  compare()
})

function compareOne(reader: IndexReader, all: readonly SearchDocument[], roll: Dice): void {
  const example = all[roll(all.length)] as SearchDocument
  const query: Query = {
    similar: { type: example.type, id: example.id },
    types: roll(3) === 0 ? ['t:a', 't:c'] : undefined,
    where: roll(2) === 0 ? { op: '<', property: ['n'], value: 6 } : undefined,
    sort: [
      [],
      [{ by: 'relevance' }],
      [{ by: 'value', property: ['n'], kind: 'number', descending: false }, { by: 'relevance' }],
    ][roll(3)] as Query['sort'],
    facets: roll(2) === 0 ? [{ facet: 'values', property: ['n'], kind: 'number', limit: 4 }] : undefined,
    limit: 15,
    budgetMs: 60_000,
  }
  const documents = new PlainDocuments(all)
  const scores = plainlySimilar(documents.all, example)
  const terms = documentTerms(example)
  let asked = query
  for (const expected of plainQuery(query, documents, scores).take(3)) {
    const { hits, matched, partial, totalIsLowerBound, ...found } = reader.search(asked, { terms })
    assert.deepEqual(
      { ...found, hits: hits.map(({ key }) => key) },
      expected,
      `${example.id} ${JSON.stringify(asked)}`,
    )
    assert.deepEqual([partial, totalIsLowerBound], [false, false])
    assert.ok(hits.length === 0 || matched.length > 0)
    assert.ok(!hits.some(({ key }) => key.type === example.type && key.id === example.id))
    asked = { ...asked, ...(expected.last && { after: expected.last }) }
  }
}

test('similarity uses only the 25 weightiest terms and ignores terms unique to the document', () => {
  const store = createMemorySegments()
  const shared = Array.from(
    { length: 40 },
    (_, at) => `shared${String.fromCharCode(97 + (at % 26))}${'x'.repeat(at)}`,
  )
  const documents = ['a', 'b', 'c'].map((id) => ({
    type: 't:a',
    id,
    title: '',
    aliases: [],
    summary: '',
    text: id === 'c' ? 'other' : `${shared.join(' ')} only${id}`,
  }))
  new IndexWriter(store).change([], documents)
  const reader = new IndexReader(store)
  reader.refresh()
  const a = documents[0] as SearchDocument
  const { hits, matched } = reader.search(
    { similar: { type: 't:a', id: 'a' }, limit: 10, budgetMs: 60_000 },
    { terms: documentTerms(a) },
  )
  assert.deepEqual(
    hits.map(({ key }) => key.id),
    ['b'],
  )
  assert.equal(matched.length, 25)
  assert.ok(!matched.includes('onlya'))
})
