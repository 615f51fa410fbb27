import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { field, find, get, press, show, startPage, textOf, texts, until } from '../page.fixture.ts'
import { keepToken } from '../world/tokens.ts'

startPage()
const { SnippetTabs } = await import('./snippet-tabs.tsx')

test('a request has four snippets, and the selected tab stays selected for the next request', async (t) => {
  const { within, origin } = await openFake()
  const written = t.mock.method(navigator.clipboard, 'writeText', async () => {})
  show(within(h(SnippetTabs, { read: { kind: 'entity', type: 'f:thing', id: 'io' }, label: 'Read it' })))
  assert.deepEqual(texts('fieldset span'), ['curl', 'fetch', 'Client', 'Command'])
  const text = `curl -H 'Accept: application/json' ${origin}/api/entities/f%3Athing/io`
  assert.equal(textOf(get('pre')), text)
  press(get('button', /^Copy/))
  await until(() => written.mock.callCount() > 0)
  assert.deepEqual(written.mock.calls[0]?.arguments, [text])
  press(field('Command'))
  assert.equal(textOf(get('pre')), `npx worldwright get ${origin} f:thing io --json`)
  show(null)
  show(within(h(SnippetTabs, { read: { kind: 'entity', type: 'f:thing', id: 'mars' }, label: 'Read it' })))
  assert.equal(textOf(get('pre')), `npx worldwright get ${origin} f:thing mars --json`)
  assert.equal(field('Command').checked, true)
  press(field('curl'))
})

test('a snippet for a private world contains a variable instead of the token', async (t) => {
  const { within, origin } = await openFake()
  keepToken(origin, 'ww_secret')
  t.after(() => keepToken(origin, undefined))
  show(within(h(SnippetTabs, { read: { kind: 'entity', type: 'f:thing', id: 'io' }, label: 'Read it' })))
  for (const way of ['curl', 'fetch', 'Client', 'Command']) {
    press(field(way))
    assert.match(textOf(get('pre')), /WORLD_TOKEN/, way)
    assert.doesNotMatch(document.body.innerHTML, /ww_secret/, way)
  }
  press(field('curl'))
  assert.equal(find('.unseen'), undefined)
})
