import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING_ASKED } from '@worldwright/extensions/views'
import { h } from 'preact'
import { type Answer, type FakeWorld, openFake, refusal, SILENCE } from '../fake-world.fixture.ts'
import { IO, MIMAS, moon, openMoons, TITAN } from '../moons.fixture.ts'
import type { RouteTo } from '../navigation/route.ts'
import {
  doing,
  field,
  find,
  fire,
  get,
  idle,
  layOut,
  press,
  show,
  shown,
  startPage,
  textOf,
  texts,
  until,
} from '../page.fixture.ts'

startPage()
const { navigate, renameEntry, route } = await import('../navigation/navigation.ts')
const { ListPage } = await import('./list-page.tsx')

function Page() {
  const at = route.value
  return at.page === 'list' ? h(ListPage, { route: at }) : null
}

/** Opens the list of things in a world that does not support queries and returns `list`. */
async function opened(list: Answer, at: Partial<RouteTo<'list'>> = {}, world: FakeWorld = {}) {
  const fake = await openFake({ ...world, answers: { 'entities/f:thing': list } })
  navigate({ page: 'list', origin: fake.origin, type: 'f:thing', ...at })
  show(fake.within(h(Page, null)))
  return fake
}

/** Opens the list of moons in a world that supports queries. `list` answers list requests, and facets are empty. */
async function openedMoons(list: Answer, at: Partial<RouteTo<'list'>> = {}) {
  const answer = (question: { input: { facets?: unknown } }) => {
    if (question.input.facets !== undefined) return { output: { entities: [], facets: [] } }
    const given = typeof list === 'function' ? list(question as never) : list
    return given instanceof Response ? given : { output: given }
  }
  const answers = { 'actions/worldwright:query': answer as Answer, 'entities/f:moon': list }
  const fake = await openMoons({ answers })
  navigate({ page: 'list', origin: fake.origin, type: 'f:moon', ...at })
  show(fake.within(h(Page, null)))
  return fake
}

const thing = (id: string, attributes: object = { size: 1, kind: 'x' }) => ({
  ...moon(id),
  type: 'f:thing',
  attributes,
})
const rows = () => texts('.scroller tbody tr:not(.spacer), .scroller li')
const foot = () => textOf(get('.list-foot [role=status]'))

test('a list shows how much is loaded and loads more on request', async (t) => {
  layOut(t)
  const list = ({ query }: { query: URLSearchParams }) =>
    query.get('cursor') === null
      ? { entities: [thing('a'), thing('b')], nextCursor: 'c1', total: 3, limit: 2 }
      : { entities: [thing('c')], total: 3, limit: 2 }
  const { asked } = await opened(list)
  assert.deepEqual(texts('[role=status]').includes('Loading…'), true)
  await until(() => rows().length === 2)
  assert.equal(foot(), '2 of 3 loaded')
  press(get('button', 'Load more'))
  await until(() => rows().length === 3)
  assert.equal(foot(), 'All 3 loaded')
  assert.equal(find('button', 'Load more'), undefined)
  assert.deepEqual(asked, ['entities/f:thing?limit=100', 'entities/f:thing?limit=100&cursor=c1'])
})

test('the number of loaded entities is shown if the total is unknown', async (t) => {
  layOut(t)
  await opened({ entities: [thing('a')], nextCursor: 'c1' })
  await until(() => rows().length === 1)
  assert.equal(foot(), '1 loaded')
})

test('an empty list and a filter without matches are reported', async () => {
  await opened({ entities: [], total: 0, limit: 100 })
  await shown('This type has no entities yet.')
  show(null)
  await openedMoons({ entities: [], total: 0 }, { asked: { ...NOTHING_ASKED, text: 'fire' } })
  await shown('Nothing fits these filters.')
})

test('if a list cannot be read, the failure replaces the page and the read can be retried', async (t) => {
  layOut(t)
  let tries = 0
  await opened(() => (++tries === 1 ? refusal(500, 'internal_error') : { entities: [thing('a')], total: 1 }))
  await shown('The world has a fault')
  assert.equal(textOf(get('h1')), 'The world has a fault')
  press(get('button', 'Try again'))
  await until(() => rows().length === 1)
})

test('if reading a later page fails, the rows stay and the read can be retried', async (t) => {
  layOut(t)
  let tries = 0
  const list = ({ query }: { query: URLSearchParams }) => {
    if (query.get('cursor') === null) return { entities: [thing('a')], nextCursor: 'c1', total: 2 }
    return ++tries === 1 ? refusal(500, 'internal_error') : { entities: [thing('b')], total: 2 }
  }
  await opened(list)
  await until(() => rows().length === 1)
  press(get('button', 'Load more'))
  await shown('The world has a fault')
  assert.equal(rows().length, 1)
  press(get('button', 'Try again'))
  await until(() => rows().length === 2)
})

test('retrying after a cursor has expired starts the list from the beginning', async (t) => {
  layOut(t)
  const list = ({ query }: { query: URLSearchParams }) =>
    query.get('cursor') === 'old' ? refusal(400, 'invalid_cursor') : { entities: [thing('a')], total: 1 }
  await opened(list, { cursor: 'old', before: 100 })
  await shown('This place in the list is gone')
  press(get('button', 'Try again'))
  await until(() => rows().length === 1)
  assert.doesNotMatch(location.href, /cursor|before/)
})

test('a repeated cursor is reported as a failure', async (t) => {
  layOut(t)
  await opened({ entities: [thing('a')], nextCursor: 'same' })
  await until(() => rows().length === 1)
  press(get('button', 'Load more'))
  await shown('This answer cannot be read')
})

test('if the list may continue after the last page, that page is shown as received', async (t) => {
  layOut(t)
  const list = ({ query }: { query: URLSearchParams }) => ({
    rows: query.get('limit') === '1' ? [{ slug: 'a' }] : [{ slug: 'a' }, { slug: 'b' }],
    weiter: 'x',
  })
  await opened(list)
  await shown('This answer was not recognised')
  assert.equal(get('.json-body').getAttribute('aria-label'), 'The last page as it was received')
  assert.ok(texts('.json-name').includes('weiter'))
})

test('waiting for the first page can be stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  await opened(SILENCE)
  doing(() => t.mock.timers.tick(3_000))
  press(get('button', 'Stop waiting'))
  await idle()
  assert.equal(textOf(get('p[role=status]')), 'Stopped.')
  press(get('button', 'Try again'))
  assert.equal(textOf(get('p[role=status]')), 'Loading…')
})

test('a list opened in the middle can load earlier pages using the cursors in its history entry', async (t) => {
  layOut(t)
  const list = ({ query }: { query: URLSearchParams }) =>
    query.get('cursor') === 'c1'
      ? { entities: [thing('c')], total: 3, limit: 2 }
      : { entities: [thing('a'), thing('b')], nextCursor: 'c1', total: 3, limit: 2 }
  const fake = await openFake({ answers: { 'entities/f:thing': list } })
  const at = { page: 'list', origin: fake.origin, type: 'f:thing', cursor: 'c1', before: 2 } as const
  navigate(at)
  renameEntry(at, [
    { row: 0, cursor: undefined },
    { row: 2, cursor: 'c1' },
  ])
  show(fake.within(h(Page, null)))
  await until(() => rows().length === 1)
  assert.match(textOf(get('.note')), /^This list begins after 2 others/)
  assert.equal(foot(), 'All 3 loaded')
  press(get('button', 'Show earlier ones'))
  await until(() => rows().length === 3)
  assert.equal(find('.note'), undefined)
})

test('scrolling updates the address without a new history entry', async (t) => {
  layOut(t)
  const many = (from: number) => Array.from({ length: 100 }, (_, index) => thing(`t${from + index}`))
  const list = ({ query }: { query: URLSearchParams }) =>
    query.get('cursor') === null
      ? { entities: many(0), nextCursor: 'c1', total: 200, limit: 100 }
      : { entities: many(100), total: 200, limit: 100 }
  await opened(list)
  await until(() => find('table'))
  press(get('button', 'Load more'))
  await until(() => foot() === 'All 200 loaded')
  const before = history.length
  const box = get('.scroller')
  box.scrollTop = 150 * 38
  fire(box, new window.Event('scroll'))
  assert.match(location.href, /\?cursor=c1&before=100$/)
  assert.equal(history.length, before)
  box.scrollTop = 0
  fire(box, new window.Event('scroll'))
  assert.doesNotMatch(location.href, /cursor/)
})

test('a world that supports queries has filters, and a filtered list is requested by a query', async (t) => {
  layOut(t)
  const { asked } = await openedMoons(
    ({ input }) => ({ entities: input['text'] === 'ice' ? [MIMAS] : [IO, TITAN], total: 2 }),
    { asked: { ...NOTHING_ASKED, text: 'ice', sort: '-radiusKm' } },
  )
  await until(() => rows().length === 1)
  await until(() => find('.chips') && find('.ask-panel'))
  assert.deepEqual(texts('.chip.removable'), ['Remove the filter: “ice”'])
  const question =
    'actions/worldwright:query {"types":["f:moon"],"text":"ice","sort":["-radiusKm"],"limit":100}'
  assert.ok(asked.includes(question), asked.join('\n'))
  press(get('.chip.removable'))
  await until(() => rows().length === 2)
  assert.match(location.href, /\/t\/f%3Amoon\?sort=-radiusKm$/)
  assert.equal(find('.chips'), undefined)
})

test('setting a filter keeps the layout and restarts the list', async (t) => {
  layOut(t)
  await openedMoons({ entities: [IO], total: 1 }, { view: 'list', cursor: 'c1', before: 5 })
  await until(() => find('.ask-panel') && find('.plain-list'))
  const box = field('Search in this type')
  box.value = 'ice'
  fire(box, new window.Event('change', { bubbles: true }))
  assert.match(location.href, /\/t\/f%3Amoon\?view=list&text=ice$/)
})

test('if a query is refused, the reason is shown and the filters stay', async (t) => {
  layOut(t)
  const filters = [{ is: 'range', key: 'nothing', from: '1', to: '2' } as const]
  await openedMoons(
    ({ input }) =>
      input['where'] === undefined
        ? { entities: [IO], total: 1 }
        : refusal(400, 'invalid_input', { message: 'No such property.' }),
    { asked: { ...NOTHING_ASKED, filters } },
  )
  await shown('No such property.')
  await until(() => find('.chip'))
  press(get('.chip', 'Remove the filter: Nothing 1 – 2'))
  await until(() => rows().length === 1)
})

test('an invalid condition in the address is reported and not sent', async () => {
  const { asked } = await openedMoons({ entities: [] }, { asked: { ...NOTHING_ASKED, cql: 'radiusKm >' } })
  await shown('invalid_argument')
  assert.ok(asked.every((one) => !one.includes('"limit":100')))
})

test('the number of loaded rows is shown only for charts that draw just those rows', async () => {
  await openedMoons({ entities: [IO], total: 1 }, { view: 'histogram' })
  await until(() => find('figure.chart'))
  assert.equal(find('.list-foot'), undefined)
  show(null)
  await opened({ entities: [thing('a')], total: 1 }, { view: 'histogram' })
  await until(() => find('figure.chart'))
  assert.equal(foot(), 'All 1 loaded')
})

test('chosen columns are stored in the address', async (t) => {
  layOut(t)
  await openedMoons({ entities: [IO], total: 1 })
  await until(() => find('.menu'))
  press(field('Kind'))
  assert.match(
    location.href,
    /\?view=table&column=radiusKm&column=orbits&column=discovered&column=retrograde&column=site$/,
  )
  await until(() => !texts('thead th').some((text) => text.startsWith('Kind')))
})

test('pressing a header sorts the list and updates the address', async (t) => {
  layOut(t)
  await openedMoons({ entities: [IO], total: 1 })
  await until(() => find('th button'))
  press(get('th', /^Kind/).querySelector('button') as Element)
  assert.match(location.href, /\?sort=kind$/)
})
