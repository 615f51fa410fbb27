import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { type Answer, type FakeWorld, openFake, refusal, SILENCE } from '../fake-world.fixture.ts'
import { IO, MIMAS, openMoons, refTo, TITAN } from '../moons.fixture.ts'
import {
  doing,
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
const { EntityPage } = await import('./entity-page.tsx')

/** Opens the page of a thing in a fake world. `titles` lists the window titles set by the page. */
async function opened(answer: Answer, world: FakeWorld = {}, id = 'one') {
  const fake = await openFake({ ...world, answers: { [`entities/f:thing/${id}`]: answer, ...world.answers } })
  const titles: string[] = []
  const route = { page: 'entity', origin: fake.origin, type: 'f:thing', id } as const
  const onTitle = (title: string) => void titles.push(title)
  show(fake.within(h(EntityPage, { route, onTitle })))
  return { ...fake, titles }
}

const THING = {
  type: 'f:thing',
  id: 'one',
  title: 'The <b>One\u202e</b>',
  summary: 'A summary.',
  createdAt: '2026-01-02T00:00:00Z',
  updatedAt: 'yesterday',
  revision: 'r7',
  attributes: { sizeKm: 5, note: 'A summary.', photo: '/attachments/a.png', near: refTo('mars') },
}

test('one consent shows all pictures of a host, in whatever fields they are', async () => {
  const far = (name: string) => `https://far.example/${name}.png`
  const attributes = {
    photo: far('a'),
    logo: far('b'),
    plain: far('c'),
    both: [far('d'), far('e')],
    story: `![F](${far('f')})`,
  }
  const picture = { type: 'string', format: 'picture' }
  const schema = {
    properties: {
      photo: picture,
      logo: picture,
      both: { type: 'array', items: picture },
      story: { type: 'string', contentMediaType: 'text/markdown' },
    },
  }
  const images = () => [...document.querySelectorAll('img')].map((image) => image.getAttribute('src'))
  const types = { entityTypes: [{ type: 'f:thing', schema }] }
  await opened({ ...THING, attributes }, { document: types })
  await until(() => find('.prose button'))
  assert.equal(images().length, 0)
  press(get('.prose button'))
  assert.deepEqual(images().toSorted(), ['a', 'b', 'c', 'd', 'e', 'f'].map(far))
})

test('an entity page shows the name, summary, attributes, picture and dates once each', async () => {
  const { titles, origin } = await opened(THING)
  await shown('Attributes')
  assert.equal(textOf(get('h1')), 'The <b>OneU+202E</b>')
  assert.equal(find('h1 b'), undefined)
  assert.deepEqual(titles, ['The <b>One\u202e</b>'])
  assert.equal(textOf(get('.lead')), 'A summary.')
  // The picture and the summary are not repeated among the attributes.
  assert.deepEqual(texts('.attributes dt'), ['Size', 'Near'])
  assert.equal(get('.aside img').getAttribute('src'), `${origin}/attachments/a.png`)
  assert.equal(get('.over a').getAttribute('href'), `#/w/${encodeURIComponent(origin)}/t/f%3Athing`)
  const meta = [...document.querySelectorAll('.meta-list > div')].map(textOf)
  assert.deepEqual(meta, [
    'Idone',
    'Created2 January 2026 at 00:00 UTC',
    'Changedyesterday',
    'Revisionr7',
    'Typef:thing',
  ])
})

test('the page of a world in a directory leads to the world', async () => {
  const type = 'worldwright:world'
  const listed = async (origin: unknown) => {
    const answer = { data: { type, id: 'a', attributes: { origin } } }
    const fake = await openFake({ answers: { [`entities/${type}/a`]: answer } })
    const route = { page: 'entity', origin: fake.origin, type, id: 'a' } as const
    show(fake.within(h(EntityPage, { route, onTitle: () => {} })))
    await shown('Attributes')
    return [...document.querySelectorAll('header a')].map((link) => link.getAttribute('href'))[1]
  }
  assert.equal(await listed('https://a.example'), '#/w/https%3A%2F%2Fa.example/')
  assert.equal(await listed('javascript:alert(1)'), undefined)
})

test('an entity page shows a title among the attributes once', async () => {
  await opened({ data: { type: 'f:thing', id: 'one', attributes: { title: 'One', sizeKm: 5 } } })
  await shown('Attributes')
  assert.equal(textOf(get('h1')), 'One')
  assert.deepEqual(texts('.attributes dt'), ['Size'])
})

test('an entity that has only a type and an id has a page', async () => {
  const { titles } = await opened({ type: 'f:thing', id: 'one' })
  await shown('No attributes were recognised')
  assert.deepEqual(titles, ['one'])
  assert.equal(find('.aside'), undefined)
  assert.equal(get('.columns').className, 'columns one')
})

test('the raw entity is shown as received', async () => {
  await opened({ data: { slug: 'one', label: 'The one', kind: 'f:thing' }, extra: 1 })
  await shown('As JSON')
  assert.ok(texts('.json-name').includes('data'))
  assert.ok(texts('.json-name').includes('extra'))
})

test('numbers are shown in full, and the raw entity has the digits that were received', async () => {
  const attributes = '{"serial":9007199254740993,"massKg":1.0,"isbn":9780306406157}'
  await opened(new Response(`{"type":"f:thing","id":"one","attributes":${attributes}}`))
  await shown('Attributes')
  assert.deepEqual(texts('.attributes dd').toSorted(), ['1 kg', '9,007,199,254,740,993', '9780306406157'])
  assert.deepEqual(texts('.json-number'), ['9007199254740993', '1.0', '9780306406157'])
})

test('a location with more digits than a double holds is shown on a map', async () => {
  const location = '{"lat":52.5000000000000000001,"lon":13.4}'
  await opened(new Response(`{"type":"f:thing","id":"one","attributes":{"location":${location}}}`))
  await shown('52.5° N, 13.4° E')
})

test('the requested type and id take precedence over those in the response', async () => {
  await opened({ ...THING, type: 'f:other', id: 'two' })
  await shown('Attributes')
  assert.ok(texts('.meta-list dd').includes('one'))
  assert.ok(texts('.meta-list dd').includes('f:thing'))
})

test('the snippets request the entity on the page', async () => {
  const { origin } = await opened(THING)
  await shown('Read it yourself')
  assert.equal(textOf(get('pre')), `curl -H 'Accept: application/json' ${origin}/api/entities/f%3Athing/one`)
})

test('a location is shown on a map', async () => {
  await opened({ ...THING, attributes: { location: { type: 'Point', coordinates: [13.4, 52.5] } } })
  await shown('52.5° N, 13.4° E')
  await until(() => find('.place svg'))
})

for (const [status, code, title] of [
  [404, 'entity_not_found', 'There is no such entity'],
  [404, 'unknown_type', 'There is no such type'],
  [401, 'unauthenticated', 'This needs a token'],
  [403, 'forbidden', 'This world refuses'],
  [500, 'internal_error', 'The world has a fault'],
] as const) {
  test(`an entity that cannot be read because of ${code} shows: ${title}`, async () => {
    await opened(refusal(status, code))
    await shown(title)
    assert.equal(textOf(get('h1')), title)
    get('a', 'To the first page of this world')
  })
}

test('a failed read can be retried', async () => {
  let tries = 0
  await opened(() => (++tries === 1 ? refusal(500, 'internal_error') : THING))
  await shown('The world has a fault')
  press(get('button', 'Try again'))
  await shown('Attributes')
})

test('while the entity is loading, the page has a heading and a stop button', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  await opened(SILENCE, {}, 'o\u202ene')
  assert.equal(textOf(get('h1')), 'oU+202Ene')
  doing(() => t.mock.timers.tick(3_000))
  press(get('button', 'Stop waiting'))
  await idle()
  assert.equal(textOf(get('h1')), 'oU+202Ene')
  assert.equal(textOf(get('p[role=status]')), 'Stopped.')
  press(get('button', 'Try again'))
  assert.equal(textOf(get('p[role=status]')), 'Loading…')
})

test('showing a different entity in the same view reads that entity', async () => {
  const answers = { 'entities/f:thing/two': { type: 'f:thing', id: 'two', title: 'Two' } }
  const { within, origin, titles } = await opened(THING, { answers })
  await shown('Attributes')
  const route = { page: 'entity', origin, type: 'f:thing', id: 'two' } as const
  show(within(h(EntityPage, { route, onTitle: (title) => void titles.push(title) })))
  assert.equal(textOf(get('h1')), 'two')
  await until(() => titles.at(-1) === 'Two')
})

test('a world that supports queries shows referrers and neighbours of an entity', async () => {
  const answer = ({ input }: { input: object }) => {
    const { facets, sort } = input as { facets?: object[]; sort?: string[] }
    if (facets !== undefined)
      return {
        output: { entities: [], facets: [{ buckets: [{ type: 'f:moon', property: 'orbits', count: 2 }] }] },
      }
    return { output: { entities: sort === undefined ? [TITAN] : sort[0] === 'id' ? [MIMAS] : [IO] } }
  }
  const answers = {
    'actions/worldwright:query': answer,
    'entities/f:moon/lo': { type: 'f:moon', id: 'lo', title: 'Lo', attributes: {} },
  }
  const { within, origin } = await openMoons({ answers })
  const route = { page: 'entity', origin, type: 'f:moon', id: 'lo' } as const
  show(within(h(EntityPage, { route, onTitle: () => {} })))
  await shown('What points here')
  await shown('← Io')
  assert.deepEqual(texts('.neighbours > span'), ['← Io', 'Mimas →'])
  await until(() => texts('.referrers .chip').includes('Titan'))
})
