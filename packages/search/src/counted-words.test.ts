import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CountedWords, type WordCounts } from './counted-words.ts'
import { DocumentAnalyser } from './document-analyser.ts'
import { Deadline } from './read/deadline.ts'

function change(documents: number, terms: object, spellings: object = {}): WordCounts {
  return { documents, terms: new Map(Object.entries(terms)), spellings: new Map(Object.entries(spellings)) }
}

test('changes of any size add up and do not affect a vocabulary returned earlier', () => {
  const words = new CountedWords()
  words.add(change(3, { run: 2, moon: 3, star: 1 }, { running: 2, run: 1 }))
  const before = words.vocabulary(new Deadline(1_000))
  for (let times = 0; times < 40; times++) words.add(change(1, { run: 1, [`w${times}`]: 1 }))
  words.add(change(-1, { star: -1, moon: -1 }))
  const now = words.vocabulary(new Deadline(1_000))
  assert.deepEqual(
    [before.count('run'), now.count('run'), now.count('moon'), now.count('star')],
    [2, 42, 2, 0],
  )
  assert.deepEqual([now.countAsWritten('running'), now.withPrefix('ru'), words.documents], [2, ['run'], 42])
  assert.deepEqual(now.near('rum', 1), [{ word: 'run', distance: 1, count: 42 }])
  assert.deepEqual([...words.counts().spellings].sort(), [
    ['run', 1],
    ['running', 2],
  ])
  assert.equal(words.counts().terms.has('star'), false)
})

test('analysing a document yields the same terms, spellings and names even after other documents', () => {
  const analyser = new DocumentAnalyser()
  const moons = { type: 't:a', id: 'x', title: 'Moons', aliases: ['Luna'], summary: '', text: '4.2' }
  const first = analyser.analyse(moons)
  assert.deepEqual(first.terms.map(({ term }) => term).sort(), [
    '\u0003moons',
    '\u0004t:a',
    '4.2',
    'luna',
    'moon',
  ])
  assert.deepEqual(first.spellings, ['moons'])
  assert.deepEqual(
    first.names.map(([, kind]) => kind),
    [1, 2, 3],
  )
  analyser.analyse({ ...moons, id: 'y', title: 'Other' })
  assert.deepEqual(analyser.analyse(moons), first)
})
