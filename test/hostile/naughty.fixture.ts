/** The strings that are known to break things: a list others collected, and some it cannot hold. */
import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { realData } from '../real-data.ts'

/** Strings a file of lines cannot hold, or that break programs of this kind. */
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

/** The naughty strings, each once; undefined, and the test is skipped, where the list is not there. */
export function naughtyStrings(context: TestContext): readonly string[] | undefined {
  const path = realData(context, 'hostile/blns/blns.txt')
  if (path === undefined) return undefined
  const lines = readFileSync(path, 'utf8').split('\n')
  // Comments begin with `#` and white space; every other line is a string as it stands.
  const strings = lines.filter((line) => line !== '' && !/^#(?:\s|$)/.test(line))
  return [...new Set([...strings, ...MORE])]
}
