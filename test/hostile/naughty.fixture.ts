/** Strings known to break programs: a published list, and some that it cannot contain. */
import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { realData } from '../real-data.ts'

/** Strings that a file of lines cannot contain, or that break programs of this kind. */
const MORE = [
  '',
  '\n',
  '\r\n',
  '\u2028',
  'a\u0085b',
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'NEAR(a b)',
  'a AND OR NOT',
  'title:"x"',
  '"unbalanced',
  '*',
  '^a',
  '{a}',
  '%',
  '%00',
  '%2e%2e',
  '%ff',
  '..',
  '.',
  'a/../b',
  'a\\..\\b',
  '\u{10ffff}',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'e\u0301',
  '\u212b',
]

/** Returns the naughty strings, each once. If the list is missing, skips the test and returns undefined. */
export function naughtyStrings(context: TestContext): readonly string[] | undefined {
  const path = realData(context, 'hostile/blns/blns.txt')
  if (path === undefined) return undefined
  const lines = readFileSync(path, 'utf8').split('\n')
  // Comments begin with `#` and white space; every other line is a string, verbatim.
  const strings = lines.filter((line) => line !== '' && !/^#(?:\s|$)/.test(line))
  return [...new Set([...strings, ...MORE])]
}
