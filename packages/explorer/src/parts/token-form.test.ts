import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { field, find, get, press, show, startPage, textOf, type } from '../page.fixture.ts'
import { entrances } from '../world/memory.ts'
import { keepToken, tokenFor } from '../world/tokens.ts'

startPage()
const { TokenForm } = await import('./token-form.tsx')
const origin = 'https://private.example'

test('a token is stored only for its origin, and the world is reopened', (t) => {
  t.after(() => keepToken(origin, undefined))
  const before = entrances.value
  show(h(TokenForm, { origin }))
  const box = field('Token')
  assert.deepEqual([box.type, box.autocomplete], ['password', 'off'])
  assert.equal(find('button', 'Forget the token'), undefined)
  type(box, 'two words')
  press(get('button', 'Use this token'))
  assert.equal(textOf(get('[role=alert]')), 'A token has no spaces and no letters beyond ASCII.')
  assert.deepEqual([tokenFor(origin), entrances.value], [undefined, before])
  type(box, ' ww_secret ')
  press(get('button', 'Use this token'))
  assert.deepEqual([tokenFor(origin), entrances.value], ['ww_secret', before + 1])
  assert.equal(tokenFor('https://other.example'), undefined)
  assert.equal(sessionStorage.getItem(`worldwright.token.${origin}`), 'ww_secret')
})

test('forgetting a token removes the token and all data read with it', (t) => {
  keepToken(origin, 'ww_secret')
  const reloaded = t.mock.method(location, 'reload', () => {})
  show(h(TokenForm, { origin }))
  press(get('button', 'Forget the token'))
  assert.equal(tokenFor(origin), undefined)
  assert.equal(sessionStorage.length, 0)
  assert.equal(reloaded.mock.callCount(), 1)
})
