import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING_ASKED } from '@worldwright/extensions/views'
import { h } from 'preact'
import { MIMAS, openMoons, refTo } from '../moons.fixture.ts'
import { find, show, startPage, until } from '../page.fixture.ts'
import { typeIn } from '../world/world-profile.ts'

startPage()
const { AskPanel, FilterChips, Neighbours, Referrers, RefineTypes, TypePicture } = await import('./parts.ts')

test('each query component is loaded on first use', async () => {
  const facet = { present: 9, buckets: [{ type: 'f:moon', property: 'orbits', value: 'icy', count: 9 }] }
  const bars = { buckets: [4, 4, 4, 4, 4].map((count, from) => ({ from, to: from + 1, count })) }
  const { within, askables, open } = await openMoons({
    answers: { 'actions/worldwright:query': { output: { entities: [MIMAS], facets: [facet, bars] } } },
    asks: { 'f:moon': ['sizeKm', 'radiusKm'].map((property) => ({ property, kinds: ['number'] })) },
  })
  const asked = { ...NOTHING_ASKED, text: 'ocean' }
  const onAsked = () => {}
  const all = [
    ['.ask-panel', h(AskPanel, { type: 'f:moon', askables, asked, onAsked })],
    ['.chips', h(FilterChips, { askables, asked, onAsked })],
    ['.referrers', h(Referrers, { to: refTo('saturn') })],
    ['.refine', h(RefineTypes, { counts: { 'f:moon': 1 }, text: '' })],
    ['.neighbours', h(Neighbours, { type: 'f:moon', id: 'x' })],
    ['.type-picture', h(TypePicture, { type: typeIn(open.profile, 'f:moon'), most: 1 })],
  ] as const
  for (const [selector, component] of all) {
    show(within(component))
    assert.equal(find(selector), undefined, selector)
    await until(() => find(selector))
  }
})
