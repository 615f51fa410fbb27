import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { openFake, refusal } from '../fake-world.fixture.ts'
import { find, get, idle, show, shown, startPage, textOf } from '../page.fixture.ts'

startPage()
const { Reference, ReferenceName } = await import('./reference.tsx')
const { EntityLink } = await import('./entity-link.tsx')

const MARS = { type: 'f:thing', id: 'mars', title: 'Mars', attributes: {} }

test('a reference shows the id until the title arrives, and requests the title once', async () => {
  const { within, asked, origin } = await openFake({ answers: { 'entities/f:thing/mars': MARS } })
  const to = { type: 'f:thing', id: 'mars' }
  show(within([h(Reference, { to, class: 'chip', key: 1 }), h(Reference, { to, key: 2 })]))
  assert.equal(textOf(document.body), 'marsmars')
  await shown('MarsMars')
  assert.equal(get('a.chip').getAttribute('href'), `#/w/${encodeURIComponent(origin)}/e/f%3Athing/mars`)
  assert.deepEqual(asked, ['entities/f:thing/mars'])
  show(within(h(ReferenceName, { to })))
  assert.equal(textOf(document.body), 'Mars')
  assert.deepEqual(asked, ['entities/f:thing/mars'])
})

test('a dangling reference is marked, and a reference to an unreadable entity shows the id', async () => {
  const { within } = await openFake({
    answers: { 'entities/f:thing/busy': refusal(503, 'unavailable', { headers: { 'retry-after': '99' } }) },
  })
  show(within(h(Reference, { to: { type: 'f:thing', id: 'gone' } })))
  await shown('gone (not in this world)')
  show(within(h(Reference, { to: { type: 'f:thing', id: 'busy' }, key: 'busy' })))
  await idle()
  assert.equal(textOf(document.body), 'busy')
})

test('a reference to another world has no link and sends no request', async () => {
  const { within, asked } = await openFake()
  show(within(h(Reference, { to: { world: 'urn:example:other', type: 'f:thing', id: 'x\u202e' } })))
  assert.equal(textOf(document.body), 'xU+202E (in another world)')
  await idle()
  assert.equal(find('a'), undefined)
  assert.deepEqual(asked, [])
  show(within(h(Reference, { to: { world: 'urn:example:fake', type: 'f:thing', id: 'here' } })))
  get('a', 'here')
})

test('a new reference in the same view does not show the previous title', async () => {
  const { within } = await openFake({ answers: { 'entities/f:thing/mars': MARS } })
  show(within(h(Reference, { to: { type: 'f:thing', id: 'mars' } })))
  show(within(h(Reference, { to: { type: 'f:thing', id: 'none' } })))
  await shown('none (not in this world)')
  assert.equal(textOf(get('a')), 'none')
})

test('an entity is a link with its title, or with its id if the title is invisible', async () => {
  const { within, origin } = await openFake()
  show(within(h(EntityLink, { entity: MARS, most: 3, isMain: true, matched: ['mar'] })))
  const link = get('a')
  assert.equal(textOf(link), 'Mar…')
  assert.equal(link.getAttribute('href'), `#/w/${encodeURIComponent(origin)}/e/f%3Athing/mars`)
  assert.equal(link.getAttribute('data-main'), '')
  assert.equal(textOf(get('mark')), 'Mar')
  show(within(h(EntityLink, { entity: { ...MARS, title: '\u200b \u3164' }, most: 9 })))
  assert.equal(textOf(document.body), 'mars')
})

test('an entity without a recognised type or id is not a link', async () => {
  const { within } = await openFake()
  show(within(h(EntityLink, { entity: { ...MARS, id: '' }, most: 20 })))
  assert.equal(textOf(document.body), 'Mars (Id: not recognised)')
  show(within(h(EntityLink, { entity: { ...MARS, id: '', title: '' }, most: 20, class: 'chip' })))
  assert.equal(textOf(get('span.chip')), '(not recognised) (Id: not recognised)')
  show(within(h(EntityLink, { entity: { ...MARS, type: '' }, most: 20 })))
  assert.equal(textOf(document.body), 'Mars')
  assert.equal(find('a'), undefined)
})
