import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './source-files.ts'

/** Tests as the page names them: one or more sentences, and the file they stand in. */
const NAMED = /((?:"[^"]+"(?: and )?)+) in `([^`]+\.ts)`/g

test('every threat in SECURITY.md names tests that are there', () => {
  const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  const [, ...threats] = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.split(' | ').length === 3)
  assert.ok(threats.length > 10)
  for (const threat of threats) {
    const named = [...threat.matchAll(NAMED)]
    assert.ok(named.length > 0, threat)
    for (const [, sentences = '', file = ''] of named) {
      const tests = readFileSync(join(ROOT, file), 'utf8')
      for (const [, sentence = ''] of sentences.matchAll(/"([^"]+)"/g))
        assert.ok(tests.includes(sentence), `${file} has no test "${sentence}"`)
    }
  }
})
