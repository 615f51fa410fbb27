import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { LAND } from '../compiled-sources.fixture.ts'
import { refusal } from '../fake-world.fixture.ts'
import { moon, openMoons } from '../moons.fixture.ts'
import { find, get, idle, show, shown, startPage, textOf, texts, until } from '../page.fixture.ts'
import { typeIn } from '../world/world-profile.ts'

startPage()
const { TypePicture } = await import('./type-picture.tsx')

type Given = {
  total?: number
  groups?: boolean
  entities?: readonly object[]
  facets?: Readonly<Record<string, object>>
  schema?: object
  /** Number of questions that fail before one is answered. */
  failures?: number
}

/** Shows pictures of moons in a world with these entities and counts. `drawn` returns the number of pictures on the page. */
async function showPictures(
  most: number,
  { entities = [], total, groups, facets = {}, schema, failures = 0 }: Given,
  asks?: object[],
) {
  let left = failures
  const answer = ({ input }: { input: object }) => {
    left -= 1
    if (left >= 0) return refusal(500, 'internal_error')
    const { facets: asked = [], limit } = input as { facets?: { property: string }[]; limit: number }
    const counted = asked.map(({ property }) => facets[property] ?? {})
    return { output: { entities: entities.slice(0, limit), total, facets: counted } }
  }
  const fake = await openMoons({
    answers: { 'actions/worldwright:query': answer },
    ...(groups && { groups }),
    ...(asks && { asks: { 'f:moon': asks } }),
    ...(schema && { document: { entityTypes: [{ type: 'f:moon', schema }] } }),
  })
  const type = typeIn(fake.open.profile, 'f:moon')
  const again = () => show(fake.within(h(TypePicture, { key: Math.random(), type, most })))
  again()
  return { ...fake, again, drawn: () => document.querySelectorAll('figure').length }
}

/** Returns a question without its facets, which are those of the other tests. */
const withoutFacets = (question: string) => question.replace(/"facets":\[\{.*?\}\],/, '')

const SITES = [
  [10, 20],
  [-30, 40],
  [50, -60],
].map(([latitude, longitude], index) => moon(`m${index}`, { site: { latitude, longitude } }))

test('locations are drawn on a map of the body that most of them are on', async () => {
  const onMars = SITES.map(({ id, attributes }) => moon(id, { ...attributes, body: 'Mars' }))
  const elsewhere = [moon('x', { site: { latitude: 1, longitude: 1 } })]
  const { drawn, asked } = await showPictures(1, { entities: [...elsewhere, ...onMars] })
  await until(() => drawn() === 1)
  assert.equal(get('svg').getAttribute('aria-label'), 'Map with 3 of them')
  assert.equal(get('path.land').getAttribute('class'), 'land mars')
  const points = [...document.querySelectorAll('circle')].map((point) => [
    point.getAttribute('cx'),
    point.getAttribute('cy'),
  ])
  assert.deepEqual(points, [
    ['20', '-10'],
    ['40', '30'],
    ['-60', '-50'],
  ])
  assert.deepEqual(asked.map(withoutFacets), ['actions/worldwright:query {"types":["f:moon"],"limit":150}'])
})

test('a map of some of many entities says whether they are a sample or the first ones by id', async () => {
  const sample = await showPictures(1, { entities: SITES, total: 60_067, groups: true })
  await until(() => sample.drawn() === 1)
  assert.equal(textOf(get('figcaption')), 'A sample of 150 of 60,067')
  assert.deepEqual(sample.asked.map(withoutFacets), [
    'actions/worldwright:query {"types":["f:moon"],"limit":150,"sort":[{"op":"sample","args":[]}]}',
  ])
  show(null)
  const first = await showPictures(1, { entities: SITES, total: 60_067 })
  await until(() => first.drawn() === 1)
  assert.equal(textOf(get('figcaption')), 'The first 150 of 60,067 by id')
})

test('the map of the Earth shows its land, and the map of an unknown body shows none', async () => {
  const { drawn } = await showPictures(1, { entities: SITES })
  await until(() => drawn() === 1)
  assert.equal(get('path.land').getAttribute('d'), LAND)
  show(null)
  const pluto = SITES.map(({ id, attributes }) => moon(id, { ...attributes, body: 'Pluto' }))
  const other = await showPictures(1, { entities: pluto })
  await until(() => other.drawn() === 1)
  assert.equal(find('path.land'), undefined)
})

test('pictures hosted by the world are shown, and pictures from other hosts are not fetched', async () => {
  const schema = { properties: { photo: { type: 'string', 'x-display': 'picture' } } }
  const own = Array.from({ length: 8 }, (_, index) =>
    moon(`m${index}`, { photo: `/attachments/${index}.png` }),
  )
  const { drawn } = await showPictures(1, { entities: own, schema })
  await until(() => drawn() === 1)
  assert.equal(document.querySelectorAll('figure.pictures img').length, 6)
  show(null)
  const foreign = own.map(({ id }) => moon(id, { photo: `https://other.example/${id}.png` }))
  const { asked } = await showPictures(1, { entities: foreign, schema })
  await until(() => asked.length > 0)
  await idle()
  assert.equal(document.querySelectorAll('img').length, 0)
})

const bars = (counts: readonly number[]) =>
  counts.map((count, index) => ({ from: index, to: index + 1, count }))
const SPREAD = { present: 100, minimum: 0, maximum: 5, buckets: bars([10, 30, 30, 20, 10]) }
const KINDS = {
  present: 100,
  buckets: [
    { value: 'icy', count: 60 },
    { value: 'rocky', count: 40 },
  ],
}

test('a number is drawn as bars with its bounds and unit, and a category as a bar of shares', async () => {
  const { drawn } = await showPictures(2, { facets: { radiusKm: SPREAD, kind: KINDS } })
  await until(() => drawn() === 2)
  assert.deepEqual(texts('figcaption'), ['0Radius km5', 'Kindicy 60rocky 40'])
  assert.equal(get('svg.bars').getAttribute('aria-label'), 'Radius: how many there are from 0 to 5')
  const shares = [...document.querySelectorAll<HTMLElement>('.kind-bar span')].map(
    ({ style }) => style.flexGrow,
  )
  assert.deepEqual(shares, ['60', '40'])
  assert.equal(document.querySelector('.kind-bar i'), null)
})

test('the bar of a category leaves room for the values that are not shown', async () => {
  const { drawn } = await showPictures(1, { facets: { kind: { ...KINDS, present: 250 } } })
  await until(() => drawn() === 1)
  const [icy, rocky, others] = get('.kind-bar').children as Iterable<HTMLElement>
  assert.deepEqual(
    [icy, rocky, others].map((one) => [one?.localName, one?.style.flexGrow]),
    [
      ['span', '60'],
      ['span', '40'],
      ['i', '150'],
    ],
  )
})

test('no more than `most` pictures are shown', async () => {
  const { drawn } = await showPictures(1, { facets: { radiusKm: SPREAD, kind: KINDS } })
  await until(() => drawn() === 1)
  assert.equal(textOf(get('figcaption')), '0Radius km5')
})

test('with few entities, categories precede histograms unless a histogram shows times', async () => {
  const few = { ...SPREAD, present: 49 }
  const { drawn } = await showPictures(1, { facets: { radiusKm: few, kind: KINDS } })
  await until(() => drawn() === 1)
  assert.match(textOf(get('figcaption')), /^Kind/)
  show(null)
  const asks = [
    { property: 'radiusKm', kinds: ['number'] },
    { property: 'discoveryYear', kinds: ['number'] },
    { property: 'kind', kinds: ['text'] },
  ]
  const along = await showPictures(1, { facets: { discoveryYear: few, radiusKm: few, kind: KINDS } }, asks)
  await until(() => along.drawn() === 1)
  assert.match(textOf(get('figcaption')), /Discovery year/)
})

test('nothing is drawn for URLs, fewer than two shared values or meaningless histograms', async () => {
  const each = { present: 100, buckets: bars([1, 1, 1, 1, 1, 1]) }
  const outliers = { present: 1_000, buckets: bars([900, 1, 1, 1, 1, 1]) }
  const links = {
    present: 10,
    buckets: [
      { value: 'https://a.example', count: 5 },
      { value: 'https://b.example', count: 5 },
    ],
  }
  const one = {
    present: 10,
    buckets: [
      { value: 'a', count: 8 },
      { value: 'b', count: 1 },
      { value: 'c', count: 1 },
    ],
  }
  const asks = ['each', 'outliers', 'latitude'].map((property) => ({ property, kinds: ['number'] }))
  const { asked } = await showPictures(
    2,
    { facets: { each, outliers, latitude: SPREAD, kind: links, other: { present: 5, buckets: [] }, one } },
    [
      ...asks,
      { property: 'kind', kinds: ['text'] },
      { property: 'other', kinds: ['text'] },
      { property: 'one', kinds: ['text'] },
    ],
  )
  await until(() => asked.length > 0)
  await idle()
  assert.equal(find('figure'), undefined)
  // Coordinates say little about an entity, so they are not counted.
  assert.ok(!asked.some((one) => one.includes('latitude')))
})

test('pictures that could not be read are said to be missing, and are read again with the next card', async () => {
  const { drawn, again } = await showPictures(1, { facets: { kind: KINDS }, failures: 1 })
  await shown('The picture could not be shown.')
  again()
  await until(() => drawn() === 1)
  assert.equal(textOf(document.body).includes('could not'), false)
})

test('a type without queryable properties is not queried', async () => {
  const { asked } = await showPictures(2, {}, [])
  await idle()
  assert.deepEqual([asked, document.body.innerHTML], [[], ''])
  const places = await showPictures(2, {}, [{ property: 'site', kinds: ['place'] }])
  await until(() => places.asked.length > 0)
  await idle()
  assert.equal(places.asked.length, 1)
})

test('the initial of a type stands where there is nothing to draw', async () => {
  const { drawn } = await showPictures(1, { entities: [moon('io')] })
  await until(() => find('.frame'))
  assert.equal(get('.frame').getAttribute('data-initial'), 'M')
  assert.equal(drawn(), 0)
})
