import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asked, NOTHING_ASKED } from '@worldwright/extensions/views'
import { h } from 'preact'
import { refusal } from '../fake-world.fixture.ts'
import { openMoons } from '../moons.fixture.ts'
import {
  choose,
  field,
  find,
  fire,
  get,
  idle,
  key,
  press,
  show,
  shown,
  startPage,
  textOf,
  texts,
  type,
  until,
} from '../page.fixture.ts'

startPage()
const { AskPanel } = await import('./ask-panel.tsx')

type Facets = Readonly<Record<string, object>>

const COUNTS: Facets = {
  radiusKm: { present: 3, minimum: 1, maximum: 9, buckets: [{ from: 1, to: 9, count: 3 }] },
  kind: { present: 3, buckets: [{ value: 'icy', count: 2 }] },
  orbits: { present: 3, buckets: [{ value: 'x', count: 2 }] },
  discovered: { present: 3, buckets: [] },
  retrograde: { present: 3, buckets: [{ value: true, count: 2 }] },
}

/** Shows the panel for moons with these counts. Questions that the panel asks are appended to `taken`. */
async function showPanel(asked: Partial<Asked> = {}, counts: Facets | Response = COUNTS, asks?: object[]) {
  const answer = ({ input }: { input: object }) => {
    if (counts instanceof Response) return counts
    const { facets } = input as { facets: { property: string }[] }
    return { output: { entities: [], facets: facets.map(({ property }) => counts[property] ?? {}) } }
  }
  const fake = await openMoons({
    answers: { 'actions/worldwright:query': answer },
    ...(asks && { asks: { 'f:moon': asks } }),
  })
  const { askables, within } = fake
  const taken: Asked[] = []
  const summed: string[] = []
  const props = {
    type: 'f:moon',
    askables,
    asked: { ...NOTHING_ASKED, ...asked },
    onAsked: (one: Asked) => void taken.push(one),
    onSummary: (key: string) => void summed.push(key),
  }
  show(within(h(AskPanel, props)))
  return { ...fake, taken, summed, props }
}

const properties = () => texts('.ask-property > summary')
const property = (label: string) => get('.ask-property > summary', label).parentElement as HTMLDetailsElement

test('the panel has a filter per property and boxes for text, a location and a condition', async () => {
  const { taken } = await showPanel()
  await until(() => find('meter'))
  assert.deepEqual(properties(), ['Radius km', 'Kind', 'Orbits', 'Discovered', 'Retrograde'])
  choose(field('Search in this type'), ' ocean ')
  choose(field('Nearest to: latitude, longitude'), '1, 2')
  press(field(/^icy/))
  choose(field('Radius: from'), '5')
  type(field<HTMLTextAreaElement>('Condition, in CQL2'), 'radiusKm > 1')
  key(field('Condition, in CQL2'), 'Enter')
  await until(() => taken.length === 5)
  assert.deepEqual(taken, [
    { ...NOTHING_ASKED, text: 'ocean' },
    { ...NOTHING_ASKED, near: { key: 'site', place: { latitude: 1, longitude: 2 } } },
    { ...NOTHING_ASKED, filters: [{ is: 'any', key: 'kind', values: ['icy'] }] },
    { ...NOTHING_ASKED, filters: [{ is: 'range', key: 'radiusKm', from: '5', to: '' }] },
    { ...NOTHING_ASKED, cql: 'radiusKm > 1' },
  ])
})

test('the summary shows the number of conditions', async () => {
  await showPanel({ text: 'a', cql: 'b > 1', filters: [{ is: 'any', key: 'kind', values: ['icy'] }] })
  assert.equal(textOf(get('.ask-panel > summary')), 'Filters 3')
  await showPanel()
  assert.equal(textOf(get('.ask-panel > summary')), 'Filters')
})

test('the panel is collapsed on a narrow page', async () => {
  globalThis.innerWidth = 999
  await showPanel()
  assert.equal(get<HTMLDetailsElement>('.ask-panel').open, false)
  show(null)
  globalThis.innerWidth = 1000
  await showPanel()
  assert.equal(get<HTMLDetailsElement>('.ask-panel').open, true)
})

test('the sample condition compares properties with values that entities have', async () => {
  const sample = () => field<HTMLTextAreaElement>('Condition, in CQL2').placeholder
  await showPanel()
  await until(() => sample() === "radiusKm > 1 AND kind = 'icy'")
  show(null)
  const days = { discovered: { present: 3, buckets: [{ from: '1655-03-25T00:00:00Z', count: 3 }] } }
  await showPanel({}, days)
  await until(() => sample() === "discovered > DATE('1655-03-25')")
  show(null)
  await showPanel({}, {})
  assert.equal(sample(), "title LIKE 'A%'")
})

test('eight filters are open and counted initially, and the others are counted when opened', async () => {
  const asks = [
    ...Array.from({ length: 8 }, (_, index) => ({ property: `text${index}`, kinds: ['text'] })),
    ...Array.from({ length: 8 }, (_, index) => ({ property: `size${index}`, kinds: ['number'] })),
  ]
  const { asked } = await showPanel({ filters: [{ is: 'any', key: 'text7', values: ['x'] }] }, {}, asks)
  await idle()
  const open = () => texts('.ask-property[open] > summary')
  const first = ['Text0', 'Text1', 'Text2', 'Text3', 'Text7', 'Size0', 'Size1', 'Size2', 'Size3']
  assert.deepEqual(open(), first)
  const before = asked.length
  press(property('Size7').querySelector('summary') as Element)
  assert.deepEqual(open(), [...first, 'Size7'])
  await until(() => asked.length > before)
  assert.ok(asked.slice(before).some((one) => one.includes('size7')))
  press(property('Text0').querySelector('summary') as Element)
  assert.equal(open()[0], 'Text1')
})

test('a property without values or with only unique values has no filter', async () => {
  await showPanel(
    {},
    {
      ...COUNTS,
      retrograde: { present: 0, buckets: [] },
      kind: { present: 3, buckets: [{ value: 'a', count: 1 }] },
    },
  )
  await until(() => !properties().includes('Retrograde'))
  assert.deepEqual(properties(), ['Radius km', 'Orbits', 'Discovered'])
})

test('an active filter stays even if no match has a value for its property', async () => {
  const filters = [{ is: 'any', key: 'retrograde', values: ['true'] } as const]
  await showPanel({ filters }, { ...COUNTS, retrograde: { present: 0, buckets: [] } })
  await until(() => find('meter'))
  assert.ok(properties().includes('Retrograde'))
})

test('filters of properties without values stay if nothing matches', async () => {
  const none = { present: 0, buckets: [] }
  await showPanel({}, Object.fromEntries(Object.keys(COUNTS).map((name) => [name, none])))
  await shown('No values')
  assert.equal(properties().length, 5)
})

test('filters of properties without values stay if only the filtered property has values', async () => {
  const none = { present: 0, buckets: [] }
  const filters = [{ is: 'any', key: 'kind', values: ['dusty'] } as const]
  await showPanel(
    { filters },
    { ...Object.fromEntries(Object.keys(COUNTS).map((name) => [name, none])), kind: COUNTS['kind'] ?? {} },
  )
  await until(() => find('meter'))
  assert.equal(properties().length, 5)
})

test('a range filter on a counted property is shown as a range', async () => {
  await showPanel({ filters: [{ is: 'range', key: 'kind', from: 'a', to: 'b' }] })
  assert.equal(field('Kind: from').value, 'a')
})

test('a counting failure is shown unless the list already shows it', async () => {
  await showPanel({}, refusal(403, 'forbidden'))
  await shown('This world refuses')
  show(null)
  const { asked } = await showPanel({}, refusal(400, 'invalid_input'))
  await until(() => asked.length > 0)
  await idle()
  assert.equal(find('[role=alert]'), undefined)
})

test('an open filter leads to the summary by its property if the world groups', async () => {
  const { summed, props, within } = await showPanel()
  await until(() => find('meter'))
  press(get('.ask-property button', 'Summarise by this'))
  assert.deepEqual(summed, ['radiusKm'])
  show(within(h(AskPanel, { ...props, onSummary: undefined })))
  await until(() => find('meter'))
  assert.equal(find('button', 'Summarise by this'), undefined)
})

test('a property that is not offered has a filter only while it is filtered', async () => {
  const { props, within, askable } = await showPanel()
  const beside = { ...askable('kind'), key: 'orbits.kind', isBeside: true } as const
  for (const [filters, isShown] of [
    [[], false],
    [[{ is: 'any', key: 'orbits.kind', values: ['rocky'] } as const], true],
  ] as const) {
    show(null)
    const asked = { ...NOTHING_ASKED, filters }
    show(within(h(AskPanel, { ...props, askables: [...props.askables, beside], asked })))
    await until(() => find('meter'))
    assert.equal(properties().filter((label) => label === 'Kind').length, isShown ? 2 : 1)
  }
})

test('an open reference offers filters by the properties of the entities to which it refers', async () => {
  const { props, within, askable, taken, asked } = await showPanel(
    {},
    { ...COUNTS, 'orbits.kind': COUNTS['kind'] ?? {} },
  )
  const label = 'Orbits: Kind'
  const inner = { ...askable('kind'), key: 'orbits.kind', isBeside: true } as const
  const beside = { ...inner, field: { ...inner.field, label } }
  const own = props.askables.map((one) => (one.key === 'orbits' ? { ...one, refersTo: ['f:planet'] } : one))
  show(within(h(AskPanel, { ...props, askables: [...own, beside] })))
  await until(() => find('summary', 'Orbits: …'))
  // Its values are counted once it is opened.
  assert.ok(!asked.some((question) => question.includes('orbits.kind')))
  const details = get('summary', label).parentElement as HTMLDetailsElement
  details.open = true
  fire(details, new window.Event('toggle'))
  await until(() => details.querySelector('input[type=checkbox]'))
  press(details.querySelector('input[type=checkbox]') as Element)
  assert.deepEqual(taken.at(-1)?.filters, [{ is: 'any', key: 'orbits.kind', values: ['icy'] }])
})
