import assert from 'node:assert/strict'
import { test } from 'node:test'
import { interpretationOf } from '@worldwright/client/foreign'
import {
  SHAPES,
  type ShapeName,
  serveShape,
  THINGS,
  TYPES,
} from '../../../client/src/foreign/shapes.fixture.ts'
import { nameOf, titleAttributeOf } from '../data/entity-name.ts'
import { discoverPages } from './discover.ts'
import { isEnded, nextPage, pagesOfType, type Walked, walkFrom } from './walk.ts'
import { profileOf } from './world-profile.ts'
import { openWorld } from './worlds.ts'

const { signal } = new AbortController()

for (const name of Object.keys(SHAPES) as ShapeName[]) {
  test(`the explorer reads a world of the shape ${name} whole`, async (t) => {
    const { url, close } = await serveShape(name)
    t.after(close)
    const world = await openWorld(url)
    assert.deepEqual(
      profileOf(world).types.map(({ type }) => type),
      TYPES,
    )
    for (const type of TYPES) {
      const things = THINGS.filter((thing) => thing.type === type)
      let walked: Walked = walkFrom(undefined)
      while (!isEnded(walked))
        walked = await nextPage(pagesOfType(world, type), walked, { limit: 100, signal })
      assert.equal(walked.doubt, undefined)
      assert.deepEqual(
        walked.entities.map((entity) => [entity.id, nameOf(entity)]),
        things.map(({ id, title }) => [id, title]),
      )
      const { id, title } = things[3] ?? { id: '', title: '' }
      const entity = await world.get(type, id)
      assert.deepEqual([entity.id, nameOf(entity), entity.attributes['isbn']], [id, title, '9780316148504'])
      const found = await discoverPages(world, { text: title, limit: 10 }, signal)
      assert.deepEqual(
        found.entities.map((entity) => [entity.type, entity.id]),
        [[type, id]],
      )
    }
  })
}

test('the title of JSON:API, which is an attribute, is not shown twice', async (t) => {
  for (const [name, attribute] of [
    ['jsonApi', 'title'],
    ['metaBody', 'title'],
    ['relay', undefined],
    ['ours', undefined],
  ] as const) {
    const { url, close } = await serveShape(name)
    t.after(close)
    const entity = await (await openWorld(url)).get(TYPES[0], 'b-01')
    assert.equal(titleAttributeOf(entity), attribute, name)
    assert.ok(interpretationOf(entity))
  }
})
