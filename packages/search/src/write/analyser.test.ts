import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Analyser } from './analyser.ts'

/** A word of seven letters for each number: no two are alike, and none has a stem. */
function wordOf(number: number): string {
  return Array.from({ length: 7 }, (_, at) => 'bdfghkmo'[(number >> (3 * at)) & 7]).join('')
}

test('every long word is known by its end, also those at which the tables grow', () => {
  const analyser = new Analyser()
  const analyse = (text: string) =>
    analyser.analyse({ type: 't:t', id: '', title: '', aliases: [], summary: '', text })
  // A word without an end: from then on, it is ends that fill the tables.
  analyse('io')
  const withoutEnd = []
  for (let number = 0; number < 5_000; number++) {
    analyse(wordOf(number))
    if (analyser.spellingCount !== 1) withoutEnd.push(wordOf(number))
  }
  assert.deepEqual(withoutEnd, [])
})
