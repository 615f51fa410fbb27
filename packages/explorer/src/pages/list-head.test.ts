import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING_ASKED } from '@worldwright/extensions/views'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { moon, openMoons } from '../moons.fixture.ts'
import type { RouteTo } from '../navigation/route.ts'
import { doing, find, get, idle, press, show, startPage, textOf, texts, until } from '../page.fixture.ts'
import { walkFrom } from '../world/walk.ts'
import { typeIn } from '../world/world-profile.ts'
import { walkOf } from './walk.fixture.ts'

startPage()
const { ListHead } = await import('./list-head.tsx')

type Fake = Awaited<ReturnType<typeof openFake>>

/** Renders the header of a partly loaded list of things. */
function showHead(
  fake: Fake,
  route: Partial<RouteTo<'list'>> = {},
  walked: Partial<ReturnType<typeof walkFrom>> = {},
) {
  const whole = { page: 'list', origin: fake.origin, type: 'f:thing', ...route } as const
  const read = { ...walkFrom(undefined), isBegun: true, entities: [moon('a')], total: 1_234, ...walked }
  const record = walkOf([], { walked: read })
  const type = typeIn(fake.open.profile, 'f:thing')
  const pages = () => {
    throw new Error('nothing is read')
  }
  const props = {
    type,
    route: whole,
    walk: record.walk,
    view: 'table',
    views: ['table', 'map'],
    columns: [],
    pages,
  } as const
  show(fake.within(h(ListHead, props)))
  return record
}

const plain = await openFake({
  document: { entityTypes: [{ type: 'f:thing', title: 'Thing <b>', description: 'Of all kinds.' }] },
})

test('the header shows the title and description of the type, and the total', () => {
  showHead(plain)
  assert.equal(textOf(get('h1.arrival')), 'Thing <b>1,234')
  assert.equal(find('h1 b'), undefined)
  assert.equal(textOf(get('p.clamp')), 'Of all kinds.')
  showHead(plain, {}, { total: undefined })
  assert.equal(textOf(get('h1.arrival')), 'Thing <b>')
})

test('each layout has a link, and links to charts drop the cursor', () => {
  showHead(plain, { view: 'table', cursor: 'c1', before: 100, plot: { x: 'size' } })
  assert.deepEqual(texts('nav a'), ['Table', 'Map'])
  const list = `#/w/${encodeURIComponent(plain.origin)}/t/f%3Athing`
  assert.equal(get('a', 'Table').getAttribute('href'), `${list}?view=table&cursor=c1&before=100`)
  assert.equal(get('a', 'Map').getAttribute('href'), `${list}?view=map`)
  assert.equal(get('[aria-current=page]').textContent, 'Table')
})

test('a list that starts at a cursor shows how many entities precede it and links to earlier pages', () => {
  const { calls } = showHead(
    plain,
    { cursor: 'c1', before: 100 },
    { before: 100, trail: [{ row: 0, cursor: undefined }] },
  )
  assert.match(textOf(get('.note')), /^This list begins after 100 others\./)
  press(get('button', 'Show earlier ones'))
  assert.deepEqual(calls, ['earlier'])
  assert.doesNotMatch(get('a', 'From the start').getAttribute('href') ?? '', /cursor|before/)
  showHead(plain, { cursor: 'c1' })
  assert.match(textOf(get('.note')), /^This list begins part of the way down\./)
  assert.equal(find('button', 'Show earlier ones'), undefined)
  showHead(plain, { cursor: 'c1', before: 100 }, { before: 0 })
  assert.equal(find('.note'), undefined)
})

test('a world without queries has a link to search within the type', async () => {
  showHead(plain)
  assert.equal(
    get('a', 'Search in this type').getAttribute('href'),
    `#/w/${encodeURIComponent(plain.origin)}/search?type=f%3Athing`,
  )
  showHead(await openMoons())
  assert.equal(find('a', 'Search in this type'), undefined)
})

test("an unfiltered list offers the world's files for download, and a filtered list its own rows", async () => {
  const fake = await openFake({
    document: { extensions: { 'worldwright:downloads': { path: '/downloads' } } },
  })
  showHead(fake)
  await until(() => find('.menu') !== undefined)
  assert.deepEqual(texts('.menu summary'), ['Share', 'Download'])
  assert.deepEqual(texts('fieldset.joined'), [])
  showHead(fake, { asked: { ...NOTHING_ASKED, text: 'ice' } })
  assert.deepEqual(texts('.menu summary'), ['Share', 'Download'])
  get('.menu button', 'Download NDJSON 1,234')
})

test('changes are announced by a button that reads the list again', async (t) => {
  const put = (id: string, createdAt: string, next: string) => ({
    ...{ op: 'put', type: 'f:thing', id, revision: 'r', position: next, next },
    entity: { type: 'f:thing', id, createdAt, updatedAt: '2026-01-02' },
  })
  const changes = [put('a', '2026-01-02', 'n1'), put('b', '2026-01-02', 'n2'), put('c', '2026-01-01', 'n3')]
  const fake = await openFake({
    document: { extensions: { 'worldwright:changes': { path: 'changes', formats: ['application/json'] } } },
    answers: {
      changes: ({ query }) =>
        query.get('since') === 'now' ? { changes: [], next: 'n0' } : { changes, next: 'n3' },
    },
  })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { calls } = showHead(fake)
  assert.equal(textOf(get('.news')), '')
  await idle()
  doing(() => t.mock.timers.tick(2_000))
  await until(() => textOf(get('.news')) === '2 new, 1 changed')
  press(get('.news button'))
  assert.equal(textOf(get('.news')), '')
  assert.deepEqual(calls, ['restart'])
})

test('downloads are offered only after the first page has arrived', () => {
  showHead(plain, {}, { isBegun: false })
  assert.equal(find('fieldset.joined'), undefined)
  showHead(plain)
  get('button', 'Download CSV 1,234')
})
