import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import { distanceOf } from '../reference/distance.fixture.ts'
import { dice } from '../reference/random.fixture.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { Deadline } from './deadline.ts'
import { IndexReader } from './index-reader.ts'
import { Vocabulary } from './vocabulary.ts'

/** Letters that take from one to four bytes in UTF-8. */
const LETTERS = ['a', 'b', 'z', 'б', 'ю', '\ud7a3', 'ꯍ', '\u{10428}', '\u{1044f}']

test('skipping distant words never skips near ones', () => {
  const roll = dice(3)
  const wordOf = (letters: readonly string[]) =>
    Array.from({ length: 1 + roll(9) }, () => letters[roll(letters.length)]).join('')
  const texts = Array.from({ length: 1_500 }, (_, at) => wordOf(at % 2 ? LETTERS : LETTERS.slice(0, 3)))
  const store = createMemorySegments()
  const writer = new IndexWriter(store)
  // Two segments that share some words.
  for (const part of [texts.slice(0, 900), texts.slice(700)]) {
    const documents = [
      { type: 't:a', id: part[0] as string, title: part.join(' '), aliases: [], summary: '', text: '' },
    ]
    writer.change([], documents)
  }
  const reader = new IndexReader(store)
  reader.refresh()
  const all = new Set<string>()
  for (const segment of reader.segments)
    for (const terms = segment.termIterator(); terms.next(); ) all.add(terms.text())
  for (const max of [1, 2]) {
    for (const word of texts.slice(0, 120)) {
      const found = new Vocabulary(reader.segments, new Deadline(60_000)).near(word, max)
      const [first] = word
      const expected = [...all].flatMap((other) => {
        if (other === word || [...other][0] !== first) return []
        const distance = distanceOf([...word], [...other])
        return distance <= max ? [`${other} ${distance}`] : []
      })
      assert.deepEqual(found.map((near) => `${near.word} ${near.distance}`).sort(), expected.sort(), word)
    }
  }
})
