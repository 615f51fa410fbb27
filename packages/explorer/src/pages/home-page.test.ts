import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { type Answer, openFake, refusal } from '../fake-world.fixture.ts'
import { IO, MIMAS, moon, openMoons, refTo, SATURN, TITAN } from '../moons.fixture.ts'
import { noteWorld } from '../navigation/settings.ts'
import {
  field,
  find,
  get,
  idle,
  press,
  show,
  shown,
  startPage,
  textOf,
  texts,
  until,
} from '../page.fixture.ts'

startPage()
const { route } = await import('../navigation/navigation.ts')
const { HomePage } = await import('./home-page.tsx')

/** Opens the home page of a world that has two types and does not support queries. `answers` are its responses. */
async function opened(document: object = {}, answers: Record<string, Answer> = {}) {
  const fake = await openFake({
    document: { entityTypes: ['f:thing', 'f:other'], ...document },
    answers: {
      'entities/f:thing': { entities: [{ ...IO, type: 'f:thing' }], total: 1_234, limit: 4 },
      'entities/f:other': { entities: [], total: 0, limit: 4 },
      'actions/wp:discover': { output: { entities: [], counts: { 'f:thing': 1_234, 'f:other': 0 } } },
      ...answers,
    },
  })
  show(fake.within(h(HomePage, null)))
  return fake
}

const meta = () => textOf(get('.meta'))

test("the home page shows the world's name, its description, and a count and links per type", async () => {
  const { origin, asked, open } = await opened({
    world: { name: 'Sol <b>', description: 'Moons.' },
    entityTypes: [{ type: 'f:thing', title: 'Thing', description: 'Of all kinds.' }, 'f:other'],
  })
  await shown('1,234 entities')
  assert.equal(textOf(get('h1')), 'Sol <b>')
  assert.equal(find('h1 b'), undefined)
  assert.equal(textOf(get('.lead')), 'Moons.')
  assert.equal(meta(), `${open.profile.host}1,234 entities2 typesShow everything`)
  assert.equal(get('a', 'Show everything').getAttribute('href'), `#/w/${encodeURIComponent(origin)}/search`)
  await until(() => find('.chip'))
  assert.deepEqual(texts('.card h3'), ['Thing1,234', 'Other0'])
  assert.deepEqual(texts('.card .clamp'), ['Of all kinds.'])
  assert.deepEqual(texts('.examples'), ['For example: Io', 'For example: None yet'])
  assert.equal(get('.card a').getAttribute('href'), `#/w/${encodeURIComponent(origin)}/t/f%3Athing`)
  assert.equal(find('button', 'Surprise me'), undefined)
  assert.deepEqual(asked.toSorted(), ['actions/wp:discover {"limit":0}', 'entities/f:thing?limit=4'])
})

test('missing and invalid counts are not shown', async () => {
  await opened({}, { 'actions/wp:discover': { output: { entities: [], counts: { 'f:thing': 'many' } } } })
  await until(() => find('.chip'))
  assert.doesNotMatch(meta(), /entit/)
  assert.deepEqual(texts('.card h3'), ['Thing1,234', 'Other0'])
})

test('the home page of a world that lists no types links to its about page', async () => {
  await opened({ entityTypes: [] })
  await shown('This world lists no entity types.')
  show(null)
  const { origin } = await opened({ entityTypes: undefined })
  await shown('Entity types were not recognised')
  assert.equal(
    get('section a', 'About this world').getAttribute('href'),
    `#/w/${encodeURIComponent(origin)}/about`,
  )
})

test('types that share a title are distinguished by their type names', async () => {
  await opened({ entityTypes: ['a:book', 'b:book', 'a:film'] })
  assert.deepEqual(texts('.card h3 a'), ['Book a:book', 'Book b:book', 'Film'])
})

test('a world with a single type has a layout for one card', async () => {
  await opened({ entityTypes: ['f:thing'] })
  assert.equal(get('ul.cards').className, 'cards only')
})

test('if counting fails, a token form is shown if a token is needed, and nothing otherwise', async () => {
  await opened({}, { 'actions/wp:discover': refusal(401, 'unauthenticated') })
  await shown('This needs a token')
  assert.equal(field('Token').type, 'password')
  show(null)
  await opened({}, { 'actions/wp:discover': refusal(500, 'internal_error') })
  await until(() => find('.chip'))
  assert.equal(find('[role=alert]'), undefined)
})

test('a card keeps its count if its entities cannot be read', async () => {
  await opened({}, { 'entities/f:thing': refusal(500, 'internal_error') })
  await shown('1,234 entities')
  await idle()
  assert.equal(texts('.card h3')[0], 'Thing1,234')
  assert.equal(find('.chip'), undefined)
})

test('the page offers recent worlds except the open one, and a box for another address', async () => {
  const { origin } = await opened()
  noteWorld({ origin, name: 'This' })
  noteWorld({ origin: 'https://books.example', name: 'Books' })
  await until(() => find('.recent'))
  assert.deepEqual(texts('.recent-name'), ['Books'])
  assert.equal(field('Address of a world').type, 'url')
})

test('a download menu is shown if the world has files', async () => {
  await opened({ extensions: { 'worldwright:downloads': { path: '/downloads' } } })
  assert.equal(textOf(get('.menu summary')), 'Download')
})

/** Opens a home page on which `notable` are the most referenced and `complete` the most complete entities. */
async function openedMoons(notable: readonly object[], complete: readonly object[] = []) {
  const answer = ({ input }: { input: object }) => {
    const { facets, where } = input as { facets?: { kind?: string }[]; where?: { op: string } }
    if (facets?.[0]?.kind === 'reference' && facets.length === 1)
      return { output: { entities: [], facets: [{ buckets: notable }] } }
    if (where?.op === 'and' || where?.op === 'not') return { output: { entities: complete } }
    if (where?.op === '>=') return { output: { entities: [TITAN] } }
    return { output: { entities: [], facets: [] } }
  }
  const fake = await openMoons({
    document: { entityTypes: [{ type: 'f:moon', title: 'Moon' }, 'f:planet'] },
    answers: {
      'actions/worldwright:query': answer as Answer,
      'entities/f:moon': { entities: [IO, MIMAS, moon('a'), moon('b')], total: 4, limit: 4 },
      'entities/f:planet': { entities: [SATURN], total: 1, limit: 4 },
      'actions/wp:discover': { output: { entities: [], counts: {} } },
    },
  })
  show(fake.within(h(HomePage, null)))
  return fake
}

const chips = (card: number) =>
  [...(document.querySelectorAll('.card')[card]?.querySelectorAll('.chip') ?? [])].map(textOf)

test('the most referenced entities are shown first', async () => {
  await openedMoons([{ value: refTo('saturn'), count: 9 }])
  await until(() => chips(1).includes('Saturn') && chips(0).length === 4)
  assert.deepEqual(chips(1), ['Saturn'])
})

test('the most complete entities are shown first if no entity refers to the type', async () => {
  await openedMoons([], [TITAN, IO])
  await until(() => chips(0).length === 4 && chips(0)[0] === 'Titan')
  assert.deepEqual(chips(0), ['Titan', 'Io', 'Mimas', 'A'])
})

test('the surprise button opens an entity', async () => {
  await openedMoons([])
  press(get('button', 'Surprise me'))
  await until(() => route.value.page === 'entity')
  assert.equal(route.value.page === 'entity' && route.value.id, 'titan')
})

test('the home page shows the picture, the logo and the featured stories of its world', async () => {
  const { origin } = await opened({
    extensions: {
      'worldwright:pages': {
        picture: '/_pages/p.webp',
        logo: '/_pages/l.svg',
        stories: [
          { path: '/s/tour', title: 'A <tour>', description: 'Of moons' },
          { path: '/s/b', title: 'B' },
        ],
      },
    },
  })
  const sources = ['.picture', '.logo'].map(
    (one) => new URL(get(`.hero ${one}`).getAttribute('src') ?? '').href,
  )
  assert.deepEqual(sources, [`${origin}/_pages/p.webp`, `${origin}/_pages/l.svg`])
  assert.deepEqual(texts('.page > .cards > li'), ['A <tour>Of moons', 'B'])
  assert.equal(
    new URL(get('.page > .cards a', 'A <tour>').getAttribute('href') ?? '').href,
    `${origin}/s/tour`,
  )
})

test('published views are shown once: as cards, with a link to their list instead of a card of their type', async () => {
  const published = { type: 'worldwright:view', title: 'Published view' }
  const entityTypes = ['f:thing', published]
  const path = '/v/f%3Athing?sort=size'
  const { origin } = await opened({
    entityTypes,
    extensions: { 'worldwright:pages': { views: '/v/', stories: [{ path, title: 'Things by size' }] } },
  })
  assert.deepEqual(texts('.card h3 a'), ['Thing', 'Things by size'])
  const list = `#/w/${encodeURIComponent(origin)}/t/worldwright%3Aview`
  assert.equal(get('.meta a', 'Published view').getAttribute('href'), list)
  show(null)
  await opened({ entityTypes })
  assert.deepEqual(texts('.card h3 a'), ['Thing', 'Published view'])
  assert.equal(find('.meta a', 'Published view'), undefined)
})
