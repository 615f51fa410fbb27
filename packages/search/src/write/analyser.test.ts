import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Analyser } from './analyser.ts'

/** Returns a seven-letter word for each number. The words are distinct and are their own stems. */
function wordOf(number: number): string {
  return Array.from({ length: 7 }, (_, at) => 'bdfghkmo'[(number >> (3 * at)) & 7]).join('')
}

test('every long word gets a suffix key, even if adding it makes the tables grow', () => {
  const analyser = new Analyser()
  const analyse = (text: string) =>
    analyser.analyse({ type: 't:t', id: '', title: '', aliases: [], summary: '', text })
  // This word has no suffix key, so from here on every entry that makes a table grow is a suffix key.
  analyse('io')
  const withoutEnd = []
  for (let number = 0; number < 5_000; number++) {
    analyse(wordOf(number))
    if (analyser.spellingCount !== 1) withoutEnd.push(wordOf(number))
  }
  assert.deepEqual(withoutEnd, [])
})
