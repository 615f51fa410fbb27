import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { get, show, startPage, textOf } from '../page.fixture.ts'

startPage()
const { LostPage } = await import('./lost-page.tsx')

test('an unknown address is reported and links to the start page', () => {
  show(h(LostPage, null))
  assert.equal(textOf(get('h1.arrival')), 'This link leads nowhere')
  assert.equal(get('a', 'Open another world').getAttribute('href'), '#/open')
})
