import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf } from '@worldwright/extensions/shown'
import { h } from 'preact'
import { moon, openMoons } from '../moons.fixture.ts'
import { find, get, show, startPage, textOf, texts, until } from '../page.fixture.ts'

startPage()
const { PlaceFigure } = await import('./place-figure.tsx')

/** Renders the location of a moon with these attributes. */
async function showPlace(attributes: Record<string, unknown>, asks?: object[]) {
  const fake = await openMoons(asks && { asks: { 'f:moon': asks } })
  const entity = moon('here', attributes)
  const place = placeOf(entity.attributes)
  assert.ok(place !== undefined)
  show(fake.within(h(PlaceFigure, { entity, place })))
  return fake
}

const AT = { site: { latitude: 18.65, longitude: -133.8 } }
const nearest = () => find('a', 'Nearest to it')?.getAttribute('href')

test('a location on the Earth has a map and a link to the nearest entities', async () => {
  const { origin } = await showPlace(AT)
  assert.equal(textOf(get('figcaption')), '18.65° N, 133.8° W · the EarthNearest to it')
  assert.equal(nearest(), `#/w/${encodeURIComponent(origin)}/t/f%3Amoon?near.site=18.65%2C-133.8`)
  await until(() => find('svg'))
  get('[aria-label^="Map of the Earth with a point at 18.65° N, 133.8° W"]')
})

test('a note says that the outline of a body is rough or unknown', async () => {
  await showPlace({ ...AT, body: 'Mars' })
  assert.match(textOf(get('figcaption')), /· Mars ?Drawn roughly/)
  show(null)
  await showPlace({ ...AT, body: '<b>Pluto</b>' })
  assert.match(textOf(get('figcaption')), /· <b>Pluto<\/b> ?No outline is known for this body/)
  assert.equal(find('b'), undefined)
})

test('a body that is an entity is linked, and the nearest entities are filtered by it if possible', async () => {
  const asks = [
    { property: 'site', kinds: ['place'] },
    { property: 'locatedOn', kinds: ['reference'] },
  ]
  const { origin } = await showPlace({ ...AT, locatedOn: { type: 'f:planet', id: 'saturn' } }, asks)
  await until(() => texts('figcaption a')[0] === 'Saturn')
  await until(() => find('svg'))
  get('[aria-label^="Map of saturn with a point at 18.65° N, 133.8° W"]')
  const list = `#/w/${encodeURIComponent(origin)}/t/f%3Amoon`
  assert.equal(nearest(), `${list}?is.locatedOn=f%3Aplanet%2Fsaturn&near.site=18.65%2C-133.8`)
  show(null)
  await showPlace({ ...AT, locatedOn: { type: 'f:planet', id: 'saturn' } }, asks.slice(0, 1))
  assert.doesNotMatch(nearest() ?? '', /is\./)
})

test('there is no link to the nearest entities if the world cannot sort by distance', async () => {
  await showPlace(AT, [])
  assert.equal(nearest(), undefined)
})
