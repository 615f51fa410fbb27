import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { field, get, press, show, startPage, textOf, texts, type } from '../page.fixture.ts'
import { keepToken, tokenFor } from '../world/tokens.ts'

startPage()
const { TokenPage } = await import('./token-page.tsx')

test('the page of a private world asks for a token and links to the public discovery document', (t) => {
  const origin = 'https://hidden.example'
  t.after(() => keepToken(origin, undefined))
  show(h(TokenPage, { origin }))
  assert.equal(textOf(get('h1.arrival')), 'This needs a token')
  assert.deepEqual(texts('a'), ['About this world', 'Open another world'])
  assert.equal(get('a').getAttribute('href'), '#/w/https%3A%2F%2Fhidden.example/about')
  type(field('Token'), 'ww_secret')
  press(get('button', 'Use this token'))
  assert.equal(tokenFor(origin), 'ww_secret')
})
