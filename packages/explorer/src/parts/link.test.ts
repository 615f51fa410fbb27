import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { get, show, startPage, textOf, texts } from '../page.fixture.ts'

startPage()
const { Out, To } = await import('./link.tsx')

test('an internal link changes only the fragment of the address', () => {
  const route = { page: 'entity', origin: 'https://sol.example', type: 'sol:moon', id: 'a/b?c' } as const
  show(h(To, { route, class: 'chip', children: 'Europa' }))
  const link = get('a.chip', 'Europa')
  assert.equal(link.getAttribute('href'), '#/w/https%3A%2F%2Fsol.example/e/sol%3Amoon/a%2Fb%3Fc')
  assert.equal(link.hasAttribute('aria-current'), false)
  assert.equal(link.hasAttribute('data-main'), false)
})

test('links to results and to the current route are marked', () => {
  show(h(To, { route: { page: 'open' }, isMain: true, isHere: true, children: 'Open' }))
  const link = get('a', 'Open')
  assert.equal(link.getAttribute('href'), '#/open')
  assert.equal(link.getAttribute('data-main'), '')
  assert.equal(link.getAttribute('aria-current'), 'page')
})

test('an external link is marked as noopener, noreferrer and nofollow', () => {
  show(h(Out, { href: 'https://other.example/x', text: 'https://other.example/x\u202e' }))
  const link = get<HTMLAnchorElement>('a.out')
  assert.equal(link.getAttribute('target'), '_blank')
  assert.equal(link.getAttribute('rel'), 'noopener noreferrer nofollow')
  assert.equal(link.getAttribute('referrerpolicy'), 'no-referrer')
  assert.equal(textOf(link), 'https://other.example/xU+202E (opens in a new tab)')
  assert.deepEqual(texts('.unseen'), ['U+202E'])
})
