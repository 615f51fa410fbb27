import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dice } from '../reference/random.fixture.ts'
import { WordTable } from './word-table.ts'

const LETTERS = ['a', 'b', 'z', '0', 'é', 'ж', '海', '\uffee', '𞤀', '😀']

test('each distinct word gets one number, and words of every script sort by their bytes', () => {
  const roll = dice(4)
  const words = new WordTable()
  const numbers = new Map<string, number>()
  for (let at = 0; at < 20_000; at++) {
    const stem = ['', 'abcd', 'abcdabcdabcd', '海海海'][roll(4)]
    const word = stem + Array.from({ length: 1 + roll(5) }, () => LETTERS[roll(LETTERS.length)]).join('')
    const text = `..${word}..`
    const number = words.number(text, 2, 2 + word.length)
    assert.equal(number, numbers.get(word) ?? numbers.size)
    numbers.set(word, number)
  }
  assert.equal(words.count, numbers.size)
  const bytes = new Uint8Array(100)
  const read = (number: number) => Buffer.from(bytes.subarray(0, words.copy(number, bytes))).toString()
  const expected = [...numbers.keys()].sort((left, right) =>
    Buffer.compare(Buffer.from(left), Buffer.from(right)),
  )
  assert.deepEqual(Array.from(words.sorted(), read), expected)
})
