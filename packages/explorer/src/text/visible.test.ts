import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBlank, piecesOf, plainText, shortened } from './visible.ts'

test('invisible characters are named and the rest is unchanged', () => {
  assert.deepEqual(piecesOf('plain'), [{ text: 'plain' }])
  assert.deepEqual(piecesOf('a\u202eb'), [{ text: 'a' }, { unseen: 'U+202E' }, { text: 'b' }])
  assert.deepEqual(piecesOf('\u2066\u0000'), [{ unseen: 'U+2066' }, { unseen: 'U+0000' }])
  assert.deepEqual(piecesOf('\ud800x'), [{ unseen: 'U+D800' }, { text: 'x' }])
  assert.deepEqual(piecesOf(''), [])
})

test('each character of invisible text is named', () => {
  assert.deepEqual(piecesOf(' \u3000'), [{ unseen: 'U+0020' }, { unseen: 'U+3000' }])
  assert.equal(isBlank('\u2800\u00a0'), true)
  assert.equal(isBlank(''), true)
  assert.equal(isBlank(' x '), false)
  assert.deepEqual(piecesOf(' x '), [{ text: ' x ' }])
})

test('a blank cut from longer text stays a blank', () => {
  assert.deepEqual(piecesOf(' ', 'ocean ice'), [{ text: ' ' }])
  assert.deepEqual(piecesOf(' \u200b', 'ocean \u200bice'), [{ text: ' ' }, { unseen: 'U+200B' }])
})

test('joiners, line feeds and emoji are left unchanged', () => {
  for (const text of ['👩‍🚀', 'می‌خواهم', 'two\nlines\tand a tab'])
    assert.deepEqual(piecesOf(text), [{ text }])
})

test('a window title is one line without control characters', () => {
  assert.equal(plainText(' a\u202e\n b '), 'a\ufffd b')
})

test('long text is cut between characters', () => {
  assert.equal(shortened('abc', 3), undefined)
  assert.equal(shortened('abcd', 3), 'abc')
  assert.equal(shortened('ab🌍cd', 3), 'ab')
})
