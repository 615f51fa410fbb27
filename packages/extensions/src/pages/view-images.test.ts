import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import { createImageMaker, type Drawing, type ImageMaker } from '../images/index.ts'
import { world } from './world-pages.fixture.ts'

const images = createImageMaker() as ImageMaker
after(() => images.close())

const PLANET = {
  type: 'sol:planet',
  title: 'Planets',
  schema: { type: 'object', properties: { radius: { type: 'number' }, kind: { type: 'string' } } },
} satisfies EntityTypeDescription

const PLANETS = [
  { id: 'mars', title: 'Mars', attributes: { radius: 3390, kind: 'rocky' } },
  { id: 'jupiter', title: 'Jupiter', attributes: { radius: 69911, kind: 'gas' } },
  { id: 'venus', title: 'Venus', attributes: { radius: 6052, kind: 'rocky' } },
]

/** Returns the drawings that a world asks for, and a function that requests an image of it. `place` is that of all but one. */
async function drawn(place?: object) {
  const drawings: Drawing[] = []
  const answer = (drawing: Drawing) => {
    drawings.push(drawing)
    return images.answer(drawing)
  }
  const maker = { answer, close: async () => {} } as ImageMaker
  const placed = PLANETS.map((planet, at) => ({
    ...planet,
    attributes: { ...planet.attributes, ...(at > 0 && place) },
  }))
  const { get, page } = await world(placed, { images: maker }, { types: async () => [PLANET] })
  return { drawings, get, page }
}

test('a view has a share image of its own: bars of an order that begins with the largest', async () => {
  const { drawings, get, page } = await drawn()
  const name = /<meta property="og:image" content="https:\/\/sol\.example([^"]*)"/
  const [, path = ''] = name.exec(await page('/v/sol%3Aplanet?in.radius=4000..&sort=-radius')) ?? []
  const image = await get(path.replaceAll('&amp;', '&'))
  assert.equal(image.status, 200, path)
  assert.equal(image.headers.get('content-type'), 'image/png')
  assert.equal((await get('/image/v/sol%3Aplanet?min.radius=4000')).status, 400)
  const [{ title, subtitle, content } = {} as Drawing] = drawings
  assert.match(title, /^Planets.*radius.*4/i)
  assert.equal(subtitle, '2 found · Radius')
  assert.deepEqual(content?.kind === 'bars' && content.bars.map(({ label, value }) => [label, value]), [
    ['Jupiter', 69911],
    ['Venus', 6052],
  ])
})

test('the image of a summary has a bar for each group', async () => {
  const { drawings, get } = await drawn()
  assert.equal((await get('/image/v/sol%3Aplanet?view=summary&by=value:kind')).status, 200)
  const [{ subtitle, content } = {} as Drawing] = drawings
  assert.equal(subtitle, '3 found, in 2 groups · Count')
  assert.deepEqual(content?.kind === 'bars' && content.bars, [
    { label: 'rocky', value: 2, shown: '2' },
    { label: 'gas', value: 1, shown: '1' },
  ])
})

test('the image of a map is a map in any order, and says how many entities it shows', async () => {
  const { drawings, get } = await drawn({ lat: 1, lon: 2 })
  assert.equal((await get('/image/v/sol%3Aplanet?view=map&sort=-radius')).status, 200)
  const [{ subtitle, content } = {} as Drawing] = drawings
  assert.deepEqual(content?.kind === 'map' && content.points.length, 2)
  assert.equal(subtitle, '3 found · 2 on the map')
})
