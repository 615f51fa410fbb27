import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepToken, tokenFor, tokenTyped } from './tokens.ts'

test('a token is kept for its own origin until it is forgotten, even if nothing can be stored', () => {
  keepToken('https://sol.example', 'ww_1')
  assert.equal(tokenFor('https://sol.example'), 'ww_1')
  assert.equal(tokenFor('https://sol.example:8443'), undefined)
  keepToken('https://sol.example', undefined)
  assert.equal(tokenFor('https://sol.example'), undefined)
})

test('a typed text is a token if a header can carry it', () => {
  assert.equal(tokenTyped(' ww_abc.DEF-1\n'), 'ww_abc.DEF-1')
  for (const text of ['', '  ', 'a b', 'a\nb', 'tökén', 'a\u0000']) assert.equal(tokenTyped(text), undefined)
})
