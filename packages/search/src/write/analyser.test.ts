import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Analyser } from './analyser.ts'

/** Returns a word of seven letters for each number: all are distinct, and none has another stem. */
function wordOf(number: number): string {
  return Array.from({ length: 7 }, (_, at) => 'bdfghkmo'[(number >> (3 * at)) & 7]).join('')
}

test('every long word is known by its end, even those at which the tables grow', () => {
  const analyser = new Analyser()
  const analyse = (text: string) =>
    analyser.analyse({ type: 't:t', id: '', title: '', aliases: [], summary: '', text })
  // This word has no end: from then on, ends alone fill the tables.
  analyse('io')
  const withoutEnd = []
  for (let number = 0; number < 5_000; number++) {
    analyse(wordOf(number))
    if (analyser.spellingCount !== 1) withoutEnd.push(wordOf(number))
  }
  assert.deepEqual(withoutEnd, [])
})
