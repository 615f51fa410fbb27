import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, type ForeignOptions, profileOf } from './foreign.ts'
import { answerOf, BIG, SHAPES, type ShapeName, serveShape, THINGS, TYPES } from './shapes.fixture.ts'

const ORIGIN = 'https://shape.example'
const idsOf = (type: string) => THINGS.filter((thing) => thing.type === type).map(({ id }) => id)

/** Connects to a world of a shape in this process. `seen` collects the requests. */
async function shaped(name: ShapeName, options: ForeignOptions = {}) {
  const seen: string[] = []
  const fetch = async (url: string, init: RequestInit) => {
    seen.push(decodeURIComponent(url.replace(ORIGIN, '')))
    const response = answerOf(SHAPES[name], ORIGIN, url, init.body as string)
    return Object.defineProperty(response, 'url', { value: url })
  }
  return { world: await connect(ORIGIN, { fetch, retries: 0, ...options }), seen }
}

test('the world with our names is served over HTTP, with ids that need escapes and a number beyond the safe ones', async () => {
  const { url, seen, close } = await serveShape('ours')
  try {
    const world = await connect(url)
    for (const type of TYPES) {
      const listed = await world.entities(type).toArray({ max: 99 })
      assert.deepEqual(
        listed.map(({ id }) => id),
        idsOf(type),
      )
      assert.equal((await world.get(type, `${idsOf(type)[1]}`)).id, idsOf(type)[1])
    }
    assert.equal((await world.discover({ types: [TYPES[1]] })).total, 7)
    await assert.rejects(world.get(TYPES[0], 'none'), { code: 'entity_not_found', status: 404 })
    const target = `${url}${seen.at(-1)?.replace('GET ', '').replace('none', 'b-01')}`
    assert.match(await (await fetch(target)).text(), new RegExp(`"isbn":"9780316148501","copies":${BIG},`))
  } finally {
    await close()
  }
})

for (const name of Object.keys(SHAPES) as ShapeName[])
  test(`a world of the shape ${name} is read whole, and each id that it lists leads to its entity`, async () => {
    const { world, seen } = await shaped(name)
    for (const type of TYPES) {
      const listed = await world.entities(type).toArray({ max: 99 })
      assert.deepEqual(
        listed.map(({ id }) => id),
        idsOf(type),
      )
      for (const entity of [listed[0], await world.get(type, `${listed[1]?.id}`)]) {
        const thing = THINGS.find((one) => one.type === type && one.id === entity?.id)
        assert.equal(entity?.type, type)
        assert.equal(entity?.title, thing?.title)
        assert.equal(entity?.attributes['isbn'], thing?.attributes['isbn'])
        assert.deepEqual(entity?.attributes['subject'], { place: 'Nantucket' })
      }
      const { entities } = await world.discover({ types: [type], limit: 3 })
      assert.deepEqual(
        entities.map(({ id }) => id),
        idsOf(type).slice(0, 3),
      )
    }
    if (name === 'ours') assert.equal(seen.length, 1 + 5 + 2 + 2 + 2)
    const profile = profileOf(world)
    const again = await shaped(name, { profile: JSON.parse(JSON.stringify(profile)) })
    assert.equal((await again.world.entities(TYPES[0]).toArray({ max: 99 })).length, 23)
    assert.equal(again.seen.length, 1 + 5, `${JSON.stringify(profile)} ${again.seen.join('\n')}`)
  })
