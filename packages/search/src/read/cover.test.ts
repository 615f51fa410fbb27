import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { IndexReader } from './index-reader.ts'

const TITLES = {
  titan: 'The largest moon of Saturn',
  rhea: 'A moon of Saturn with the second largest size',
  mimas: 'A moon of Saturn',
  io: 'A moon of Jupiter',
  river: 'Who discovered the source of the river',
  ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`m${at}`, 'The moon of a planet'])),
  ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`s${at}`, `The star number ${at}`])),
}

/** Returns a function that searches for a text among titles by id. */
function searching(titles: Record<string, string>) {
  const store = createMemorySegments()
  const documents = Object.entries(titles).map(([id, title]) => ({
    ...{ type: 't:thing', id, title, aliases: [], summary: '', text: '' },
  }))
  new IndexWriter(store).change([], documents)
  const reader = new IndexReader(store)
  return (text: string) => {
    const { hits, total, matched } = reader.search({ text, limit: 199, budgetMs: 60_000 })
    assert.equal(hits.length, total)
    return { ids: hits.map(({ key }) => key.id).sort(), total, matched }
  }
}

const asked = searching(TITLES)

test('function words match nothing alone, unless the query has no other words or quotes them', () => {
  assert.deepEqual(asked('what is known about the moon of jupiter').ids, ['io'])
  assert.deepEqual(asked('what is known about the moon of jupiter').matched, ['jupiter', 'moon'])
  assert.deepEqual(asked('who is it').ids, ['river'])
  assert.deepEqual([asked('who zzyzx').total, asked('"who" zzyzx').ids], [0, ['river']])
})

test('a frequent word alone finds nothing beside a rare one, and a rare word makes up for a frequent one', () => {
  assert.deepEqual(asked('saturn moon').ids, ['mimas', 'rhea', 'titan'])
  assert.deepEqual(asked('jupiter star').ids, ['io'])
})

test('function words leave no entity out and are not corrected', () => {
  const titles = [
    ...Array.from({ length: 120 }, (_, at) => `The moon of planet ${at}`),
    ...Array.from({ length: 30 }, (_, at) => `Moon ${at}`),
    ...Array.from({ length: 60 }, (_, at) => `Rock ${at} then`),
  ]
  const found = searching(Object.fromEntries(titles.map((title, at) => [`d${at}`, title])))
  assert.equal(found('the moon').total, found('moon').total)
  assert.equal(found('the moon').total, 150)
  assert.deepEqual(found('than rock').matched, ['rock'])
})

test('if several things are named, those without other words are found', () => {
  const found = searching({ ...TITLES, a: 'Eris', b: 'Ceres', c: 'Eris and Ceres', d: 'Eris of old' })
  assert.deepEqual(found('compare eris ceres').ids, ['a', 'b', 'c'])
})

test('in a short query an unknown word leaves only the best entity', () => {
  assert.deepEqual(asked('moon zzyzx').total, 1)
  assert.ok(asked('moon').total > 40)
})
