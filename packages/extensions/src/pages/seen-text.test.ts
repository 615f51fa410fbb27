import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countText, nameOf, seenText, shortText } from './seen-text.ts'

test('invisible text is treated as absent', () => {
  for (const text of [
    '',
    ' \t\n',
    '\u00a0\u2003',
    '\u200b\u2060\ufeff',
    '\u202e\u0007',
    '\u3164\u2800',
    '\u{e0020}',
  ])
    assert.equal(seenText(text), undefined, JSON.stringify(text))
  for (const text of ['0', ' a ', '\u202eb', '😀', '—', '東京']) assert.equal(seenText(text), text)
  assert.equal(nameOf({ id: 'io', title: '\u200b' }), 'io')
  assert.equal(nameOf({ id: 'io', title: 'Io' }), 'Io')
})

test('truncated text ends with a whole character and an ellipsis', () => {
  assert.equal(shortText('abc', 3), 'abc')
  assert.equal(shortText('abcd', 3), 'ab…')
  assert.equal(shortText('a😀bc', 3), 'a…')
  assert.equal(shortText('a😀bc', 4), 'a😀…')
})

test('counts are formatted with grouped digits', () => {
  assert.deepEqual([0, 999, 1_200, 1_234_567].map(countText), ['0', '999', '1,200', '1,234,567'])
})
