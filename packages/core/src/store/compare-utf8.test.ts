import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareUtf8 } from './compare-utf8.ts'

test('strings compare in the order of their UTF-8 bytes', () => {
  const parts = [
    '',
    'a',
    'z',
    '\u007f',
    '\u0080',
    'é',
    '\ud7ff',
    '\ue000',
    '\ufffd',
    '\uffff',
    '\u{10000}',
    '\u{10ffff}',
  ]
  const strings = parts.flatMap((first) => parts.map((second) => `x${first}${second}`))
  for (const left of strings) {
    for (const right of strings) {
      const expected = Buffer.compare(Buffer.from(left), Buffer.from(right))
      assert.equal(Math.sign(compareUtf8(left, right)), expected, JSON.stringify([left, right]))
    }
  }
})
