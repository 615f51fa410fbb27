import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asked, NOTHING_ASKED } from '@worldwright/extensions/views'
import { h } from 'preact'
import { openMoons } from '../moons.fixture.ts'
import { idle, show, shown, startPage, textOf, until } from '../page.fixture.ts'

startPage()
const { useFacets } = await import('./use-facets.ts')

/** Input of a facet question as the world receives it. */
interface Sent {
  readonly text?: string
  readonly where?: unknown
  readonly facets: { property: string }[]
}

/** Counts properties of moons in a fake world and returns the questions that the world received. */
async function counted(asked: Partial<Asked>, keys: readonly string[], asks?: readonly object[]) {
  const sent: Sent[] = []
  const answer = ({ input }: { input: object }) => {
    const { facets } = input as Sent
    sent.push(input as Sent)
    return {
      output: { entities: [], facets: facets.map((_, index) => ({ present: index + 1, buckets: [] })) },
    }
  }
  const fake = await openMoons({
    answers: { 'actions/worldwright:query': answer },
    ...(asks && { asks: { 'f:moon': asks } }),
  })
  const { askables, within } = fake
  function View({ text }: { text: string }) {
    const { value, failure } = useFacets({ ...NOTHING_ASKED, ...asked, text, type: 'f:moon', askables, keys })
    const counts = [...(value ?? [])].map(([key, { present }]) => `${key} ${present}`)
    return h('p', null, failure?.cause ?? (value && (counts.join(', ') || 'none')))
  }
  const search = (text: string) => show(within(h(View, { text })))
  search(asked.text ?? '')
  return Object.assign(sent, { search })
}

test('unfiltered properties are counted in one question', async () => {
  const sent = await counted({}, ['kind', 'radiusKm', 'orbits'])
  await shown('radiusKm 1, kind 2, orbits 3')
  assert.deepEqual(
    [...sent],
    [
      {
        types: ['f:moon'],
        facets: [
          { property: 'radiusKm', kind: 'number', histogram: 24 },
          { property: 'kind', kind: 'text', limit: 8 },
          { property: 'orbits', kind: 'reference', limit: 8 },
        ],
        limit: 0,
      },
    ],
  )
})

test('a filtered property is counted without its own filter', async () => {
  const filters = [{ is: 'any', key: 'kind', values: ['icy'] } as const]
  const sent = await counted({ text: 'ocean', filters, cql: 'radiusKm > 1' }, ['kind', 'orbits'])
  await shown('kind 1, orbits 1')
  const condition = { op: '>', args: [{ property: 'radiusKm' }, 1] }
  const own = { op: '=', args: [{ property: 'kind' }, 'icy'] }
  const byProperty = new Map(sent.map(({ facets: [facet], where }) => [facet?.property, where]))
  assert.deepEqual(byProperty.get('kind'), condition)
  assert.deepEqual(byProperty.get('orbits'), { op: 'and', args: [own, condition] })
  assert.deepEqual(
    sent.map(({ text }) => text),
    ['ocean', 'ocean'],
  )
})

test('properties beyond the per-question facet limit are counted in further questions', async () => {
  const asks = Array.from({ length: 20 }, (_, index) => ({ property: `p${index}`, kinds: ['text'] }))
  const keys = asks.map(({ property }) => property)
  const sent = await counted({}, keys, asks)
  await shown('p15 16, p16 1')
  assert.deepEqual(
    sent.map(({ facets }) => facets.length),
    [16, 4],
  )
})

test('previous counts stay until the next ones arrive', async () => {
  const sent = await counted({}, ['kind'])
  await shown('kind 1')
  sent.search('ocean')
  assert.equal(textOf(document.body), 'kind 1')
  await until(() => sent.length === 2)
})

test('no question is sent if there are no countable properties', async () => {
  const none = await counted({}, [])
  await idle()
  assert.deepEqual([none.length, textOf(document.body)], [0, ''])
  const place = await counted({}, ['site'])
  await shown('none')
  assert.equal(place.length, 0)
})

test('a bound of dates that is none is not sent, as the pages of a world refuse it', async () => {
  const asks = [
    { property: 'discovered', kinds: ['text'], format: 'date' },
    { property: 'kind', kinds: ['text'] },
  ]
  for (const [from, expected] of [
    ['2020-1-1', 'refused'],
    ['2020-01', 'kind 1'],
  ] as const) {
    const filters = [{ is: 'range', key: 'discovered', from, to: '' } as const]
    const sent = await counted({ filters }, ['kind'], asks)
    await shown(expected)
    assert.equal(sent.length, expected === 'refused' ? 0 : 1)
  }
})

test('an invalid condition is not sent', async () => {
  const sent = await counted({ cql: 'radiusKm >' }, ['kind'])
  await shown('refused')
  assert.equal(sent.length, 0)
})
