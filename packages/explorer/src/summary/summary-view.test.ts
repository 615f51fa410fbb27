import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client'
import { type Asked, NOTHING_ASKED, type Plot } from '@worldwright/extensions/views'
import { h } from 'preact'
import { type Answer, refusal } from '../fake-world.fixture.ts'
import { MOON_ASKS, openMoons, refTo } from '../moons.fixture.ts'
import { choose, field, find, get, press, show, shown, startPage, texts, until } from '../page.fixture.ts'
import { questionOf } from '../question/question.ts'

startPage()
const { SummaryView } = await import('./summary-view.tsx')
const { runsOf } = await import('./summary-lines.tsx')

const EXTENSION = {
  types: { 'f:moon': [...MOON_ASKS, { property: 'discoveryYear', kinds: ['number'] }] },
  limits: { groups: 1000 },
}
const BY_PLANET = {
  groups: [
    { key: [refTo('saturn')], count: 2, measures: [1386.4512] },
    { key: [null], count: 1, measures: [null] },
  ],
  measures: [{ op: 'avg', property: 'radiusKm', kind: 'number', ignored: 3 }],
  groupsTotal: 2,
}
const WHOLE = { groups: [{ key: [], count: 3, measures: [1531.5] }], measures: BY_PLANET.measures, total: 3 }

/** Shows a summary of the moons. `answer` gets the input of each question for groups. Returns what it asked and changed. */
async function showSummary(
  plot: Plot,
  answer: (input: JsonObject) => object,
  asked: Partial<Asked> = {},
  more: object = {},
) {
  const inputs: JsonObject[] = []
  const changed: Plot[] = []
  const moved: Plot[] = []
  const query: Answer = ({ input }) => {
    if (input['facets'] !== undefined) return { output: { entities: [], facets: facetsOf(input) } }
    inputs.push(input)
    const given = answer(input)
    return given instanceof Response ? given : { output: { entities: [], total: 3, ...given } }
  }
  const extensions = { 'worldwright:query': EXTENSION, ...more }
  const { within } = await openMoons({
    document: { extensions },
    answers: { 'actions/worldwright:query': query },
  })
  const whole = { ...NOTHING_ASKED, ...asked }
  const props = {
    type: 'f:moon',
    askables: [],
    asked: whole,
    question: () => questionOf('f:moon', whole, []),
    entities: [],
    total: 3,
    plot,
    onMoved: (one: Plot) => void moved.push(one),
    onPlot: (one: Plot) => void changed.push(one),
    onAsked: () => {},
  }
  show(within(h(SummaryView, props)))
  return { inputs, changed, moved }
}

/** Answers facets: the planets divide the moons, and the years of discovery span centuries. */
function facetsOf({ facets }: JsonObject) {
  return (facets as { property: string }[]).map(({ property }) => {
    if (property === 'discoveryYear') return { present: 3, minimum: 1610, maximum: 2020, buckets: [] }
    if (property !== 'orbits') return { present: 3, buckets: [] }
    const buckets = ['saturn', 'jupiter'].map((id) => ({ value: refTo(id), count: 2 }))
    return { present: 3, buckets }
  })
}

const bars = () =>
  [...document.querySelectorAll<HTMLElement>('.drawn i')].map(({ style }) =>
    Number(style.getPropertyValue('--part')),
  )
const cells = () => texts('tbody tr').map((row) => row.replaceAll(' Show only these', ''))

test('without keys the list is grouped by the most useful property, below its total', async () => {
  const { inputs } = await showSummary({}, ({ group }) => (group ? { ...BY_PLANET, measures: [] } : {}))
  await shown('How many by Orbits')
  assert.deepEqual(
    inputs.find(({ group }) => group),
    {
      types: ['f:moon'],
      group: [{ property: 'orbits', kind: 'reference' }],
      groupSort: ['-count'],
      groupLimit: 100,
      limit: 0,
    },
  )
  await until(() => cells()[1] === 'Saturn2')
  assert.deepEqual(cells(), ['All3', 'Saturn2', 'no value1'])
  assert.deepEqual(bars(), [1, 0.5])
})

test('the total of a mean is that of the whole list, and what is left out is said', async () => {
  const { inputs, moved } = await showSummary({ by: ['orbits'], of: ['avg:radiusKm'] }, ({ group }) =>
    group ? BY_PLANET : WHOLE,
  )
  await until(() => cells()[1]?.startsWith('Saturn'))
  assert.deepEqual(cells(), ['All31,532', 'Saturn21,386', 'no value1–'])
  const asked = inputs.map(({ group, groupSort }) => `${group ? 'groups' : 'all'} ${groupSort}`)
  assert.deepEqual(asked, ['groups -avg:radiusKm', 'all undefined'])
  assert.deepEqual(texts('thead th'), ['Orbits↑', 'How many↑', 'Radiusmean, km↓'])
  assert.equal(get('td[title]').title, '1531.5')
  assert.deepEqual(moved, [])
  assert.deepEqual(texts('figcaption'), [
    'Radius (km): mean by Orbits · 3 have a value of another kind for Radius, which is left out',
  ])
})

test('each number leads to the entities of its group, with the filters of the list', async () => {
  const asked = { filters: [{ is: 'any', key: 'kind', values: ['icy'] }] } as const
  const { inputs } = await showSummary(
    { by: ['value:orbits'], of: ['avg:radiusKm'] },
    ({ group }) => (group ? BY_PLANET : WHOLE),
    asked,
  )
  await until(() => cells().length === 3)
  assert.deepEqual(inputs[0]?.['where'], { op: '=', args: [{ property: 'kind' }, 'icy'] })
  const links = [...document.querySelectorAll<HTMLAnchorElement>('td a')].map(
    ({ hash, tabIndex }) => `${decodeURIComponent(hash).split('?')[1]} ${tabIndex}`,
  )
  assert.deepEqual(links, [
    'is.kind=icy 0',
    'is.kind=icy -1',
    'is.kind=icy&is.orbits=f:planet/saturn 0',
    'is.kind=icy&is.orbits=f:planet/saturn -1',
    'is.kind=icy&no.orbits=1 0',
  ])
})

test('years are grouped by decade and drawn as a line, and a choice of bins is kept in the address', async () => {
  const groups = [
    { key: [1980], count: 2, measures: [] },
    { key: [1990], count: 1, measures: [] },
    { key: [null], count: 1, measures: [] },
  ]
  const answer = () => ({ groups, groupsTotal: 3 })
  const { inputs, changed, moved } = await showSummary({ by: ['discoveryYear'] }, answer)
  await until(() => cells().length === 4)
  assert.deepEqual(inputs.find(({ group }) => group)?.['group'], [
    { property: 'discoveryYear', kind: 'number', width: 10 },
  ])
  assert.deepEqual(cells(), ['All3', '1980s2', '1990s1', 'no value1'])
  // A page without scripts has the same groups only if the address says so.
  assert.deepEqual(moved, [{ by: ['10:discoveryYear'], of: undefined, order: undefined }])
  assert.deepEqual(texts('.line title'), ['1980s: 2', '1990s: 1'])
  assert.deepEqual(
    [...document.querySelectorAll('polyline')].map((line) => line.getAttribute('points')?.split(' ').length),
    [2],
  )
  choose(field<HTMLSelectElement>('In steps of'), '100')
  assert.deepEqual(changed, [{ by: ['100:discoveryYear'], of: undefined, order: undefined }])
})

test('keys and measures are added, changed and removed by choosing them', async () => {
  const { changed } = await showSummary({ by: ['value:orbits'], of: ['avg:radiusKm'] }, ({ group }) =>
    group ? BY_PLANET : WHOLE,
  )
  await until(() => cells().length === 3)
  const select = (label: string) => field<HTMLSelectElement>(label)
  assert.ok(![...select('And by').options].some(({ value }) => value === 'orbits'))
  choose(select('And by'), 'kind')
  choose(select('By'), 'retrograde')
  choose(select('Radius'), 'max')
  choose(select('Radius'), '')
  choose(select('Add a column'), 'radiusKm')
  choose(select('Add a column'), 'kind')
  press(get('th button', /How many/))
  press(get('th button', /Radius/))
  const here = { by: ['value:orbits'], of: ['avg:radiusKm'], order: undefined }
  assert.deepEqual(changed, [
    { ...here, by: ['value:orbits', 'kind'] },
    { ...here, by: ['retrograde'] },
    { ...here, of: ['max:radiusKm'] },
    { ...here, of: [] },
    { ...here, of: ['avg:radiusKm', 'median:radiusKm'] },
    { ...here, of: ['avg:radiusKm', 'distinct:kind'] },
    { ...here, order: '-count' },
    { ...here, order: 'avg:radiusKm' },
  ])
})

test('more groups are read on request, and cut numbers are said to be cut', async () => {
  const answer = ({ group, groupLimit }: JsonObject) => {
    const groups = [
      { key: ['a'], count: 2, measures: [] },
      { key: ['b'], count: 2, measures: [] },
    ]
    if (group === undefined) return {}
    return { groups: groupLimit === 100 ? groups.slice(0, 1) : groups, groupsTotal: 1500, partial: true }
  }
  const { inputs } = await showSummary({ by: ['kind'] }, answer)
  await shown('1 of 1,500 shown')
  await shown('The world ended early: these numbers cover only some of the entities.')
  press(get('button', 'Show 999 more'))
  await shown('2 of 1,500 shown')
  await shown('Some are in several groups, as they have several values.')
  assert.deepEqual(
    inputs.flatMap(({ groupLimit }) => groupLimit ?? []),
    [100, 1000],
  )
})

test('two keys form one table with a bar for each pair', async () => {
  const groups = [
    { key: ['icy', 1980], count: 2, measures: [] },
    { key: ['icy', 1990], count: 1, measures: [] },
    { key: ['rocky', 1980], count: 1, measures: [] },
  ]
  const { inputs } = await showSummary({ by: ['kind', '10:discoveryYear'] }, () => ({
    groups,
    groupsTotal: 3,
  }))
  await until(() => cells().length === 4)
  assert.deepEqual(cells(), ['All3', 'icy1980s2', 'icy1990s1', 'rocky1980s1'])
  assert.equal(inputs.find(({ group }) => group)?.['groupLimit'], 1000)
  assert.deepEqual(bars(), [1, 0.5, 0.5])
  assert.deepEqual(find('.line'), undefined)
})

test('a second key divides a line over time', async () => {
  const groups = [
    { key: [1980, 'icy'], count: 1, measures: [] },
    { key: [1990, 'icy'], count: 3, measures: [] },
    { key: [1980, 'rocky'], count: 2, measures: [] },
  ]
  await showSummary({ by: ['10:discoveryYear', 'kind'] }, () => ({ groups, groupsTotal: 3 }))
  await until(() => cells().length === 4)
  assert.deepEqual(
    [...document.querySelectorAll('.line')].map((line) =>
      [...line.querySelectorAll('title')].map(({ textContent }) => textContent),
    ),
    [['1980s: 1', '1990s: 3'], ['1980s: 2']],
  )
  assert.equal(get('.legend').textContent, 'Kindicyrocky')
  const color = (element: Element | undefined) => (element as HTMLElement).style.getPropertyValue('--series')
  const [icy, rocky] = document.querySelectorAll('.line')
  assert.deepEqual([icy, rocky].map(color), ['var(--kind-0)', 'var(--kind-1)'])
  assert.deepEqual([...document.querySelectorAll('.drawn i')].map(color), [
    'var(--kind-0)',
    'var(--kind-0)',
    'var(--kind-1)',
  ])
})

test('unknown keys and measures of an address are ignored', async () => {
  await showSummary({ by: ['nothing', '10:kind'], of: ['avg:kind', 'avg'], order: 'x' }, ({ group }) =>
    group ? { ...BY_PLANET, measures: [] } : {},
  )
  await shown('How many by Orbits')
})

test('the groups can be downloaded if the world serves files of results that hold all of them', async () => {
  for (const [groupsTotal, links] of [
    [2, 1],
    [1001, 0],
  ] as const) {
    const extensions = { 'worldwright:results': { formats: ['csv', 'geojson'] } }
    await showSummary({ by: ['orbits'] }, () => ({ ...BY_PLANET, measures: [], groupsTotal }), {}, extensions)
    await until(() => cells().length === 3)
    const found = [...document.querySelectorAll<HTMLAnchorElement>('a[download]')]
    assert.equal(found.length, links)
    for (const { href } of found) {
      const url = new URL(href)
      assert.equal(url.pathname, '/api/results/result.csv')
      assert.deepEqual(JSON.parse(url.searchParams.get('input') ?? ''), {
        types: ['f:moon'],
        group: [{ property: 'orbits', kind: 'reference' }],
        groupSort: ['-count'],
      })
    }
    show(null)
  }
})

test('a refused question is shown, and the controls stay', async () => {
  await showSummary({ by: ['kind'] }, () => refusal(400, 'invalid_input', { message: 'It cannot group.' }))
  await shown('It cannot group.')
  assert.deepEqual(texts('figcaption'), [''])
  assert.ok(find('select') !== undefined)
})

test('a line is zero where there are no groups, or broken if their absence means nothing', () => {
  const at = (from: number, amount = 1) => ({ from, to: from + 10, amount })
  const points = [at(1900), at(1910), at(1950)]
  assert.deepEqual(runsOf(points, false), [[at(1900), at(1910)], [at(1950)]])
  assert.deepEqual(
    runsOf(points, true).map((run) => run.map(({ from, amount }) => `${from}: ${amount}`)),
    [['1900: 1', '1910: 1', '1920: 0', '1940: 0', '1950: 1']],
  )
  assert.deepEqual(runsOf([], true), [])
})
