import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h, render } from 'preact'
import { idle, show, shown, startPage, textOf } from '../page.fixture.ts'

startPage()
const { loaded, needed } = await import('./loaded.tsx')

const Atlas = ({ of: name }: { of: string }) => h('p', null, `Map of ${name}`)

test('a component is loaded once, on first use, and renders nothing until then', async () => {
  let fetched = 0
  const Lazy = loaded(async () => {
    fetched += 1
    return Atlas
  })
  assert.equal(fetched, 0)
  show(h(Lazy, { of: 'Mars' }))
  assert.equal(textOf(document.body), '')
  await shown('Map of Mars')
  show(null)
  show(h(Lazy, { of: 'Venus' }))
  assert.equal(textOf(document.body), 'Map of Venus')
  assert.equal(fetched, 1)
})

test('a component that fails to load renders nothing, or a message if it is needed', async () => {
  const failing = async (): Promise<typeof Atlas> => {
    throw new TypeError('no such file')
  }
  show(h(loaded(failing), { of: 'Mars' }))
  await idle()
  assert.equal(textOf(document.body), '')
  show(h(needed(failing), { of: 'Mars' }))
  assert.equal(textOf(document.body), '')
  await shown('This part of the page could not be loaded. Load the page again.')
})

test('a component whose load ends between the drawing of a page and its effects is drawn', async () => {
  const loading = Promise.withResolvers<typeof Atlas>()
  const Lazy = loaded(() => loading.promise)
  show(h(Lazy, { key: 'first', of: 'Mars' }))
  // Outside of `show`, effects run later, as after the next frame of a browser.
  render(h(Lazy, { key: 'second', of: 'Venus' }), document.body)
  loading.resolve(Atlas)
  await loading.promise
  await shown('Map of Venus')
})
