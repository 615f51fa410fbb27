import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client'
import { type Asked, NOTHING_ASKED, type Plot } from '@worldwright/extensions/views'
import { type FunctionComponent, h } from 'preact'
import { refusal } from '../fake-world.fixture.ts'
import { moon, openMoons } from '../moons.fixture.ts'
import {
  choose,
  field,
  find,
  get,
  press,
  show,
  shown,
  startPage,
  textOf,
  texts,
  until,
} from '../page.fixture.ts'
import type { ChartProps } from './chart-props.ts'

startPage()
const { HistogramView } = await import('./histogram-view.tsx')
const { MapView } = await import('./map-view.tsx')
const { ScatterView } = await import('./scatter-view.tsx')

interface Input {
  readonly group?: readonly { property: string; width?: number }[]
  readonly facets?: readonly { property: string; histogram?: number; ranges?: readonly unknown[] }[]
  readonly sort?: readonly unknown[]
  readonly measures?: readonly unknown[]
  readonly where?: unknown
  readonly limit?: number
}

const ASKS = [
  { property: 'radiusKm', kinds: ['number'] },
  { property: 'mass', kinds: ['number'] },
  { property: 'kind', kinds: ['text'] },
  { property: 'site', kinds: ['place'] },
]

/** Shows a chart of a list of `total` moons, of a world that answers with `output`. Records what the chart reports. */
async function showChart(
  chart: FunctionComponent<ChartProps>,
  output: (input: Input) => object,
  {
    total = 6_000,
    groups = true,
    plot = {},
    asks = ASKS,
    where,
  }: { total?: number; groups?: boolean; plot?: Plot; asks?: typeof ASKS; where?: JsonObject } = {},
) {
  const inputs: Input[] = []
  const answer = ({ input }: { input: object }) => {
    inputs.push(input)
    const given = output(input)
    return given instanceof Response ? given : { output: { entities: [], total, ...given } }
  }
  const fake = await openMoons({
    groups,
    asks: { 'f:moon': asks },
    answers: { 'actions/worldwright:query': answer },
  })
  const said: { asked?: Asked; plot?: Plot; moved?: Plot } = {}
  const props: ChartProps = {
    type: 'f:moon',
    askables: fake.askables,
    asked: NOTHING_ASKED,
    question: async () => ({ types: ['f:moon'], sort: ['-radiusKm'], ...(where && { where }) }),
    entities: [],
    total,
    plot,
    onMoved: (moved) => Object.assign(said, { moved }),
    onPlot: (plot) => Object.assign(said, { plot }),
    onAsked: (asked) => Object.assign(said, { asked }),
  }
  show(fake.within(h(chart, props)))
  return { inputs, said }
}

const cells = () => [...document.querySelectorAll('.cells rect')]
const CELLS = [
  { key: [[0, 45]], count: 5_500, measures: [] },
  { key: [[11.25, 45]], count: 500, measures: [] },
]
const grouped = (groups: readonly object[]) => ({ groups, groupsTotal: groups.length })

test('a map of many entities draws cells that count all of them, and a click shows the entities of a cell', async () => {
  const { said, inputs } = await showChart(MapView, () => grouped(CELLS))
  await until(() => cells().length === 2)
  await shown('Map of the Earth with 6,000 places · Cells count all 6,000')
  // No question is for entities.
  assert.ok(inputs.every(({ limit, group }) => limit === 0 && group?.[0]?.property === 'site'))
  assert.deepEqual(texts('.legend li').slice(0, 2), ['How many', '500'].with(1, '< 1,000'))
  press(cells()[1] as Element)
  const [filter] = said.asked?.filters ?? []
  assert.ok(filter?.is === 'box')
  const [west, south, east, north] = filter.box
  assert.deepEqual([filter.key, west, south], ['site', 11.25, 45])
  // Entities on the northern and eastern edge are in the next cells.
  const [wide = 0, high = 0] = [east - west, north - south].map((degrees) => Number(degrees.toFixed(7)))
  assert.ok(wide === high && Number.isInteger(Math.log2(11.25 / wide)), `${filter.box}`)
  assert.ok(east < west + wide && north < south + high)
})

test('a cell with more entities than points can be drawn is enlarged', async () => {
  const wide = [...CELLS, { key: [[-120, -60]], count: 9, measures: [] }]
  const { said } = await showChart(MapView, () => grouped(wide))
  await until(() => cells().length === 3)
  press(cells()[0] as Element)
  assert.equal(said.asked, undefined)
  assert.match(said.moved?.y ?? '', /^\d+\.\d+,4\d\.\d+,\d+/)
})

test('the cells of a map can have the mean of a number as their colour', async () => {
  const mean = { plot: { color: 'radiusKm' } }
  const { inputs } = await showChart(
    MapView,
    ({ measures }) =>
      grouped(CELLS.map((cell, index) => ({ ...cell, measures: measures ? [10 + index * 80] : [] }))),
    mean,
  )
  await until(() => texts('.legend li')[0] === 'Radius')
  assert.deepEqual(inputs.at(-1)?.measures?.[0], { op: 'avg', property: 'radiusKm', kind: 'number' })
  assert.deepEqual(texts('.legend li').slice(0, 2), ['Radius', '< 20 km'])
})

test('a map draws points if few of many entities have a location', async () => {
  await showChart(MapView, ({ group }) =>
    group
      ? grouped([
          { key: [null], count: 5_999, measures: [] },
          { key: [[0, 45]], count: 1, measures: [] },
        ])
      : { entities: [moon('a', { site: { latitude: 1, longitude: 2 } })], total: 1 },
  )
  await shown('Map of the Earth with 1 places · All 1 shown')
  assert.equal(cells().length, 0)
})

const EXTENT = { present: 6_000, minimum: 0, maximum: 290, buckets: [] }

test('a scatter plot of many entities draws cells, and a click filters by both ranges', async () => {
  const { said } = await showChart(ScatterView, ({ group, facets }) => {
    if (group) return grouped([{ key: [10, 30], count: 4, measures: [] }])
    return facets ? { facets: [EXTENT] } : {}
  })
  await until(() => cells().length === 1)
  await shown('Mass against Radius (km) · Cells count all 6,000')
  press(cells()[0] as Element)
  assert.deepEqual(said.asked?.filters, [
    { is: 'range', key: 'radiusKm', from: '10', to: '20', isBelow: true },
    { is: 'range', key: 'mass', from: '30', to: '50', isBelow: true },
  ])
})

const many = Array.from({ length: 5_000 }, (_, index) =>
  moon(`m${index}`, { radiusKm: index, mass: 1, kind: 'icy' }),
)
const sortOf = (inputs: readonly Input[]) => inputs.filter(({ limit }) => limit !== 0).map(({ sort }) => sort)

test('a world without groups shows the first entities by id, and a chart says so', async () => {
  const { inputs } = await showChart(ScatterView, () => ({ entities: many }), { groups: false })
  await shown('Mass against Radius (km) · The first 5,000 of 6,000 by id')
  // The first page shows that there are too many. The order of the list would be no better sample.
  assert.deepEqual(sortOf(inputs), [['-radiusKm'], undefined])
})

test('entities that have no cells are a sample by a hash of the id, if the world has this order', async () => {
  const none = { ...EXTENT, minimum: 1e-9, maximum: 1e30 }
  const output = ({ facets, sort }: Input, isRefused = false) => {
    if (facets) return { facets: [none] }
    return isRefused && typeof sort?.[0] === 'object' ? refusal(400, 'invalid_argument') : { entities: many }
  }
  const log = { plot: { log: 'xy' } }
  const { inputs } = await showChart(ScatterView, output, log)
  await shown('A sample of 5,000 of 6,000')
  assert.deepEqual(sortOf(inputs).at(-1), [{ op: 'sample', args: [] }])
  show(null)
  await showChart(ScatterView, (input) => output(input, true), log)
  await shown('The first 5,000 of 6,000 by id')
})

const KINDS = {
  present: 3,
  buckets: [
    { value: 'icy', count: 2 },
    { value: 'rocky', count: 1 },
  ],
}
const FEW = ['icy', 'icy', 'rocky', undefined].map((kind, index) =>
  moon(`m${index}`, { radiusKm: index, mass: index, ...(kind && { kind }) }),
)

test('points have the colour of a value and the size of a number, with a legend', async () => {
  const { said } = await showChart(
    ScatterView,
    ({ facets }) =>
      facets ? { facets: [facets[0]?.histogram ? { ...EXTENT, maximum: 3 } : KINDS] } : { entities: FEW },
    { total: 4, plot: { color: 'kind', size: 'mass' } },
  )
  await until(() => texts('.legend').length === 2)
  assert.deepEqual(texts('.legend')[0], 'Kindicyrockyother or no value')
  const strokes = [...document.querySelectorAll<HTMLElement>('.dots')].map(({ style }) => style.stroke)
  assert.deepEqual(new Set(strokes), new Set(['var(--kind-0)', 'var(--kind-1)', 'var(--kind-rest)']))
  const widths = [...document.querySelectorAll('.dots')].map((path) =>
    Number(path.getAttribute('stroke-width')),
  )
  assert.ok(
    widths.every((width, index) => index === 0 || width > (widths[index - 1] ?? 0)),
    `${widths}`,
  )
  choose(field('Colour'), 'radiusKm')
  assert.deepEqual(said.plot, { color: 'radiusKm', size: 'mass' })
})

test('the points of a short list have the colours of its first reference or listed value, unless none is chosen', async () => {
  const answer = ({ facets }: Input) => (facets ? { facets: [KINDS] } : { entities: FEW })
  const asks = [...ASKS, { property: 'orbits', kinds: ['reference'] }]
  const { said, inputs } = await showChart(ScatterView, answer, { total: 4, asks })
  await until(() => texts('.legend li')[0] === 'Orbits')
  assert.equal(inputs.find(({ facets }) => facets)?.facets?.[0]?.property, 'orbits')
  choose(field('Colour'), '-')
  assert.deepEqual(said.plot, { color: '-' })
  show(null)
  await showChart(ScatterView, answer, { total: 4, asks, plot: { color: '-' } })
  await until(() => find('.dots'))
  assert.equal(find('.legend'), undefined)
})

test('a value keeps its colour if the list is filtered', async () => {
  const { inputs } = await showChart(
    ScatterView,
    ({ facets }) => (facets ? { facets: [KINDS] } : { entities: FEW.slice(2) }),
    { total: 4, plot: { color: 'kind' }, where: { op: '=', args: [{ property: 'kind' }, 'rocky'] } },
  )
  await until(() => find('.dots[style*="kind-1"]'))
  const asked = ({ facets }: Input) => facets !== undefined
  assert.deepEqual(
    inputs.filter(asked).map(({ where }) => where),
    [undefined],
  )
  assert.ok(inputs.some((input) => !asked(input) && input.where !== undefined))
})

test('the bars of a histogram are stacked by the values of a property', async () => {
  await showChart(
    HistogramView,
    ({ facets, where }) => {
      const [facet] = facets ?? []
      if (facet?.ranges === undefined)
        return { facets: [facet?.histogram ? { ...EXTENT, maximum: 1 } : KINDS] }
      const count = where === undefined ? 4 : JSON.stringify(where).startsWith('{"op":"="') ? 2 : 1
      return {
        facets: [
          { present: count, buckets: facet.ranges.map((_, index) => ({ count: index === 0 ? count : 0 })) },
        ],
      }
    },
    { plot: { x: 'radiusKm', color: 'kind' } },
  )
  await until(() => find('.bar[style*="kind-1"]'))
  const layers = [...get('.bin').querySelectorAll<HTMLElement>('.bar')]
  assert.deepEqual(
    layers.map(({ style }) => style.fill),
    ['var(--kind-0)', 'var(--kind-1)', 'var(--kind-rest)'],
  )
  const tall = layers.map((layer) => Number(layer.getAttribute('height')))
  const all = tall.reduce((sum, one) => sum + one, 0)
  assert.deepEqual(
    tall.map((one) => Math.round((one / all) * 100)),
    [50, 25, 25],
  )
  assert.equal(textOf(get('.legend')), 'Kindicyrockyother or no value')
})
