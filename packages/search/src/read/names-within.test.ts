import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Condition } from '@worldwright/core/store'
import { createMemorySegments } from '../memory-segments.ts'
import { Synonyms } from '../text/synonyms.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { IndexReader } from './index-reader.ts'
import { correctedNames } from './query-names.ts'

const entities = [
  { type: 't:star', id: 's', title: 'Corvus 44', text: '' },
  {
    type: 't:planet',
    id: 'p',
    title: 'Object 7',
    aliases: ['Corvus 44 b'],
    text: 'Discovered long ago in 1999.',
  },
  { type: 't:planet', id: 'q', title: 'Corvus 91 b', text: 'Known. Told of in 44 papers, as others are.' },
  { type: 't:moon', id: 'm', title: 'Small one', text: 'A moon of Corvus 44 and of no planet.' },
  ...Array.from({ length: 40 }, (_, at) => ({
    type: 't:book',
    id: `${at}`,
    title: `Volume ${at}`,
    text: '',
  })),
].map((entity) => ({ aliases: [], summary: '', values: [], ...entity }))

const types = ['star', 'planet', 'moon', 'book'].map((name) => ({ from: [name], to: [], type: `t:${name}` }))

/** Returns the ids of the hits for a text, best first. */
function foundFor(text: string, where?: Condition): string[] {
  const segments = createMemorySegments()
  new IndexWriter(segments).build(entities)
  const { hits } = new IndexReader(segments).search(
    { text, limit: 9, budgetMs: 60_000, ...(where && { where }) },
    { synonyms: new Synonyms(types) },
  )
  return hits.map(({ key }) => key.id)
}

test('the longest name within a question comes first', () => {
  assert.equal(foundFor('what is known about corvus 44 b')[0], 'p')
  assert.equal(foundFor('what is known about corvus 44')[0], 's')
})

test('a name counts as much under a condition', () => {
  const all: Condition = { op: 'absent', property: ['none'] }
  assert.deepEqual(foundFor('what is known about corvus 44 b', all)[0], 'p')
})

test('words that no document holds are skipped within a name', () => {
  assert.equal(foundFor('known about corvus zyzzyva 44 b')[0], 'p')
})

test('if a question names a type, only names of its entities count', () => {
  assert.equal(foundFor('which moon has corvus 44')[0], 'm')
  assert.equal(foundFor('which star is corvus 44')[0], 's')
})

test('names are sought in up to 16 words of a text, and corrected in up to 32', () => {
  const further = (words: number) => `${'what '.repeat(words)}known corvus 44 b`
  assert.equal(foundFor(further(12))[0], 'p')
  assert.notEqual(foundFor(further(13))[0], 'p')
  const parts = Array.from({ length: 33 }, (_, at) => `w${at}`)
  const candidates = parts.map((word) => [{ word: `${word}x`, distance: 1, count: 1 }])
  assert.deepEqual(correctedNames(parts, parts, candidates), [])
  assert.ok(correctedNames(parts.slice(1), parts.slice(1), candidates.slice(1)).length > 1)
})
