import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepToken, tokenFor, tokenTyped } from './tokens.ts'

test('a token is kept for its origin until it is removed, even if the browser stores nothing', () => {
  keepToken('https://sol.example', 'ww_1')
  assert.equal(tokenFor('https://sol.example'), 'ww_1')
  assert.equal(tokenFor('https://sol.example:8443'), undefined)
  keepToken('https://sol.example', undefined)
  assert.equal(tokenFor('https://sol.example'), undefined)
})

test('a typed token is accepted only if a header can contain it', () => {
  assert.equal(tokenTyped(' ww_abc.DEF-1\n'), 'ww_abc.DEF-1')
  for (const text of ['', '  ', 'a b', 'a\nb', 'tökén', 'a\u0000']) assert.equal(tokenTyped(text), undefined)
})
