import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity, JsonObject } from '@worldwright/client'
import { NOTHING_ASKED } from '@worldwright/extensions/views'
import { h } from 'preact'
import { MOON_SCHEMA, moon, openMoons } from '../moons.fixture.ts'
import type { RouteTo } from '../navigation/route.ts'
import { show, startPage } from '../page.fixture.ts'
import type { Askable } from '../question/askable.ts'
import { walkFrom } from '../world/walk.ts'
import { typeIn } from '../world/world-profile.ts'

startPage()
const { isDrawn, useListShape } = await import('./use-list-shape.ts')
const sol = await openMoons()

interface Given {
  route?: Partial<RouteTo<'list'>>
  schema?: object | undefined
  askables?: readonly Askable[]
  entities?: readonly Entity[]
  isBegun?: boolean
}

/** Returns the layouts and columns of a list of moons. */
function shapeOf({ route = {}, schema, askables = [], entities = [], isBegun = true }: Given, world = sol) {
  let shape: ReturnType<typeof useListShape> | undefined
  const type = { ...typeIn(world.open.profile, 'f:moon'), schema: schema as JsonObject | undefined }
  const whole = { page: 'list', origin: world.origin, type: 'f:moon', ...route } as const
  function View() {
    shape = useListShape(whole, type, askables, { ...walkFrom(undefined), entities, isBegun })
    return null
  }
  show(null)
  show(world.within(h(View, null)))
  assert.ok(shape !== undefined)
  return shape
}

const names = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name)
const PLACED = moon('a', { size: 1, year: 5, site: { latitude: 1, longitude: 2 } })

test('columns come from the schema or, without a schema, from the first entities', () => {
  const declared = shapeOf({ schema: MOON_SCHEMA })
  assert.deepEqual(names(declared.columns), [
    'radiusKm',
    'kind',
    'orbits',
    'discovered',
    'retrograde',
    'site',
  ])
  assert.deepEqual(names(shapeOf({ entities: [PLACED] }).columns), ['size', 'year', 'site'])
  assert.deepEqual(names(shapeOf({}).columns), [])
  const many = Array.from({ length: 51 }, (_, index) => moon(`m${index}`, index < 50 ? { a: 1 } : { b: 1 }))
  assert.deepEqual(names(shapeOf({ entities: many }).columns), ['a'])
})

test('columns that most entities lack follow the others', () => {
  const entities = [PLACED, moon('b', { kind: 'ice', radiusKm: null }), moon('c', { kind: 'rock' })]
  const { columns } = shapeOf({ schema: MOON_SCHEMA, entities })
  assert.deepEqual(names(columns).slice(0, 3), ['kind', 'radiusKm', 'orbits'])
})

test('chosen columns are shown in order and unknown ones are ignored', () => {
  const chosen = shapeOf({ schema: MOON_SCHEMA, route: { columns: ['kind', 'constructor', 'radiusKm'] } })
  assert.deepEqual(names(chosen.columns), ['kind', 'radiusKm'])
  assert.equal(chosen.available.length, 6)
  assert.equal(shapeOf({ schema: MOON_SCHEMA, route: { columns: ['nothing'] } }).columns.length, 6)
})

test('columns used for sorting or filtering are shown even beyond the column limit', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`p${index}`, { type: 'string' }]),
  )
  const plain = shapeOf({ schema: { properties } })
  assert.equal(plain.columns.length, 14)
  const asked = {
    ...NOTHING_ASKED,
    sort: '-p19',
    filters: [{ is: 'any', key: 'p17', values: ['x'] } as const],
  }
  assert.deepEqual(names(shapeOf({ schema: { properties }, route: { asked } }).columns).slice(14), [
    'p17',
    'p19',
  ])
})

test('on a wide page a list is a table by default unless it has only one column', () => {
  assert.equal(shapeOf({ schema: MOON_SCHEMA }).view, 'table')
  assert.equal(shapeOf({ entities: [moon('a', { size: 1 })] }).view, 'list')
  assert.equal(shapeOf({ schema: MOON_SCHEMA, route: { view: 'list' } }).view, 'list')
  globalThis.innerWidth = 639
  assert.equal(shapeOf({ schema: MOON_SCHEMA }).view, 'list')
  assert.equal(shapeOf({ schema: MOON_SCHEMA, route: { view: 'table' } }).view, 'table')
})

test('a layout is offered if there are pictures, locations or numbers for it', () => {
  assert.deepEqual(shapeOf({ entities: [moon('a', { kind: 'icy' })] }).views, ['table', 'list'])
  assert.deepEqual(shapeOf({ entities: [PLACED] }).views, [
    'table',
    'list',
    'map',
    'timeline',
    'histogram',
    'scatter',
  ])
  assert.deepEqual(shapeOf({ entities: [moon('a', { size: 1 })] }).views, ['table', 'list', 'histogram'])
  assert.ok(shapeOf({ entities: [moon('a', { photo: '/attachments/a.png' })] }).views.includes('gallery'))
  const pictures = { properties: { photo: { type: 'string', 'x-display': 'picture' } } }
  assert.ok(shapeOf({ schema: pictures }).views.includes('gallery'))
  const asked = shapeOf({ schema: MOON_SCHEMA, askables: sol.askables, entities: [moon('a', { odd: 1 })] })
  assert.deepEqual(asked.views, ['table', 'list', 'map', 'timeline', 'histogram', 'scatter'])
  assert.deepEqual(asked.drawables, sol.askables)
})

test('a summary is offered if the world groups', async () => {
  const settings = { types: { 'f:moon': [{ property: 'kind', kinds: ['text'] }] }, limits: { groups: 1000 } }
  const grouping = await openMoons({ document: { extensions: { 'worldwright:query': settings } } })
  assert.deepEqual(shapeOf({ askables: grouping.askables }, grouping).views, ['table', 'list', 'summary'])
  assert.deepEqual(shapeOf({}, grouping).views, ['table', 'list'])
  assert.equal(isDrawn('summary'), true)
})

test('an unsupported layout in the address is ignored once the first page is loaded', () => {
  const route = { view: 'map' } as const
  assert.equal(shapeOf({ route, isBegun: false }).view, 'map')
  assert.equal(shapeOf({ route }).view, 'list')
  assert.equal(shapeOf({ route, entities: [PLACED] }).view, 'map')
})

test('`isDrawn` is true only for charts', () => {
  const views = ['table', 'list', 'gallery', 'map', 'timeline', 'histogram', 'scatter'] as const
  assert.deepEqual(views.filter(isDrawn), ['map', 'timeline', 'histogram', 'scatter'])
})
