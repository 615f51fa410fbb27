import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rounds } from '../../../../test/rounds.ts'
import { createMemorySegments } from '../memory-segments.ts'
import type { SearchDocument } from '../port/document.ts'
import { IndexReader } from '../read/index-reader.ts'
import { Synonyms } from '../text/synonyms.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { dice, documentOf, queryOf, rulesOf, vocabularyOf } from './random.fixture.ts'
import { Reference } from './reference.fixture.ts'

/** Enough documents to cover every case, but few enough for every test run. The benchmark compares 50,000. */
const DOCUMENTS = 1_500
const QUERIES = rounds(30, 120)

test('the top twenty hits match the documented ranking, even after updates, deletes and merges', () => {
  const roll = dice(11)
  const word = vocabularyOf(roll, 700)
  const store = createMemorySegments()
  const writer = new IndexWriter(store)
  const rules = rulesOf(roll, word)
  const reference = new Reference(rules)
  const synonyms = new Synonyms(rules)
  const living = new Map<string, SearchDocument>()
  const put = (documents: readonly SearchDocument[]) => {
    const old = documents.flatMap(({ id }) => living.get(id) ?? [])
    writer.change(old, documents)
    for (const { type, id } of old) reference.delete(type, id)
    for (const document of documents) {
      living.set(document.id, document)
      reference.put(document)
    }
  }
  const compare = () => {
    const reader = new IndexReader(store)
    reader.refresh()
    assert.equal(reader.documents, living.size)
    const dictionary = reference.dictionary()
    for (let at = 0; at < QUERIES; at++) {
      const named = roll(3) === 0 ? [...living.values()][roll(living.size)] : undefined
      const plain = named ? `${word(roll)} ${named.title} ${word(roll)}` : queryOf(roll, word)
      const text = roll(3) === 0 ? `what is the ${plain}` : plain
      const types = roll(4) === 0 ? ['t:a', 't:c'] : undefined
      const query = { text, types, unfinished: roll(2) === 0, limit: 20, budgetMs: 60_000 }
      const expected = reference.search(query, dictionary)
      const found = reader.search(query, { synonyms })
      const say = `${JSON.stringify(text)} in ${types}`
      assert.deepEqual(
        found.hits.map(({ score }) => score),
        expected.scores,
        say,
      )
      assert.deepEqual(
        found.hits.map(({ key }) => `${key.type} ${key.id}`),
        expected.keys,
        say,
      )
      if (!found.totalIsLowerBound) {
        assert.deepEqual([found.total, found.counts], [expected.total, expected.counts], say)
      } else assert.ok(found.total <= expected.total, say)
    }
  }
  put(Array.from({ length: DOCUMENTS }, (_, at) => documentOf(roll, word, `d${at}`)))
  compare()
  for (let at = 0; at < 300; at++) {
    const ids = Array.from({ length: 1 + roll(3) }, () => `d${roll(DOCUMENTS + 500)}`)
    if (roll(3) === 0) {
      const old = [...new Set(ids)].flatMap((id) => living.get(id) ?? [])
      writer.change(old, [])
      for (const { type, id } of old) {
        living.delete(id)
        reference.delete(type, id)
      }
    } else put([...new Set(ids)].map((id) => documentOf(roll, word, id)))
    if (at % 7 === 0) writer.maintain(0.2)
  }
  compare()
  while (writer.maintain(5)) {}
  compare()
  writer.mergeAll()
  compare()
})
