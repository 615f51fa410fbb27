import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import { pathKey } from '../port/document.ts'
import { type SynonymRule, Synonyms } from '../text/synonyms.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { IndexReader } from './index-reader.ts'

const largest = (type: string, property = 'size'): SynonymRule => ({
  from: ['largest'],
  to: [],
  type,
  order: { property, descending: true },
})

/** Returns a function that searches entities of the types `t:0` to `t:29`, given rules. */
function searched(): (text: string, rules: readonly SynonymRule[]) => ReturnType<IndexReader['search']> {
  const segments = createMemorySegments()
  const documents = Array.from({ length: 30 }, (_, type) =>
    Array.from({ length: 5 }, (_, at) => ({
      type: `t:${type}`,
      id: `${at}`,
      title: `thing ${at}`,
      aliases: [],
      summary: '',
      text: at === 4 ? 'largest of things' : '',
      values: [{ path: pathKey(['size']), kind: 'number' as const, value: at }].slice(at === 4 ? 1 : 0),
    })),
  )
  new IndexWriter(segments).build(documents.flat())
  const reader = new IndexReader(segments)
  return (text, rules) =>
    reader.search({ text, limit: 9, budgetMs: 60_000 }, { synonyms: new Synonyms(rules) })
}

test('a superlative stands for three entities with a value, and the word itself still matches', () => {
  const { hits, total, why } = searched()('largest', [largest('t:7')])
  const first = hits.slice(0, 2).map(({ key }) => `${key.type} ${key.id}`)
  assert.deepEqual(first, ['t:7 3', 't:7 2'])
  assert.equal(total, 33)
  assert.deepEqual(why, [{ word: 'largest', type: 't:7', order: '-size' }])
})

test('a superlative that is repeated is read once', () => {
  const rules = [largest('t:7'), { from: ['seventh'], to: [], type: 't:7' }]
  const { hits, why } = searched()('seventh largest seventh largest', rules)
  assert.deepEqual(
    hits.slice(0, 2).map(({ key }) => `${key.type} ${key.id}`),
    ['t:7 3', 't:7 2'],
  )
  assert.deepEqual(why, [
    { word: 'seventh', type: 't:7' },
    { word: 'largest', type: 't:7', order: '-size' },
  ])
})

test('a superlative of too many types, or without entities, is not read', () => {
  const search = searched()
  const types = Array.from({ length: 17 }, (_, at) => `t:${at}`)
  for (const rules of [types.map((type) => largest(type)), [largest('t:7', 'mass')], [largest('t:none')]]) {
    const { total, why } = search('largest', rules)
    assert.deepEqual([total, why], [30, undefined])
  }
  const few = search(
    'largest',
    types.slice(1).map((type) => largest(type)),
  )
  assert.equal(few.total, 30 + 3 * 16)
})

test('of two types with a superlative, only the one with entities is named', () => {
  const { why } = searched()('largest', [largest('t:7'), largest('t:8', 'mass')])
  assert.deepEqual(why, [{ word: 'largest', type: 't:7', order: '-size' }])
})

test('entities that two rules name for one superlative are found once', () => {
  const { hits, total } = searched()('largest thing', [largest('t:7'), largest('t:7')])
  assert.equal(new Set(hits.map(({ key }) => `${key.type} ${key.id}`)).size, hits.length)
  assert.equal(hits[0]?.key.id, '3')
  assert.equal(total, 33)
})

test('a text that matches more than half of the searched documents is broad', () => {
  const search = searched()
  assert.equal(search('thing', []).broad, true)
  assert.equal(search('largest', []).broad, undefined)
  assert.equal(search('', []).broad, undefined)
})
