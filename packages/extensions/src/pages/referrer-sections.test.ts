import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FacetResult, Found } from '../../../core/src/store/contract.ts'
import { ReferrerSections } from './referrer-sections.ts'

/** Returns the sections of a store whose version and search result can be set. Counts the searches. */
function sections(facet: Partial<FacetResult>) {
  const state = { version: '1', searches: 0, facet }
  const find = async () => {
    state.searches += 1
    const counted = { present: 0, absent: 0, buckets: [], ...state.facet }
    return { hits: [], facets: [counted] } as unknown as Found
  }
  const made = new ReferrerSections({ find, types: async () => [] }, { version: () => state.version })
  return { state, of: (id: string) => made.of({ type: 'sol:star', id }, {}) }
}

const MOONS = { type: 'sol:moon', path: ['orbits'], count: 3 }

test("an entity's referrers are searched for once, and again after a write", async () => {
  const { state, of } = sections({ buckets: [MOONS] })
  const { html, isPartial } = await of('sun')
  assert.match(html?.text ?? '', /What points here/)
  assert.equal(isPartial, false)
  assert.equal((await of('sun')).html?.text, html?.text)
  assert.equal(state.searches, 1)
  await of('rigel')
  assert.equal(state.searches, 2)
  state.version = '2'
  state.facet = {}
  assert.equal((await of('sun')).html, undefined)
  assert.equal((await of('sun')).html, undefined)
  assert.equal(state.searches, 3)
})

test('a partial search result is not cached', async () => {
  const { state, of } = sections({ partial: true, buckets: [MOONS] })
  assert.equal((await of('sun')).isPartial, true)
  state.facet = { buckets: [MOONS] }
  assert.equal((await of('sun')).isPartial, false)
  assert.equal(state.searches, 2)
})

test('the cache is bounded and evicts the oldest section', async () => {
  const { state, of } = sections({ buckets: [{ ...MOONS, path: ['x'.repeat(1_000_000)] }] })
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) await of(id)
  assert.equal(state.searches, 9)
  await of('i')
  assert.equal(state.searches, 9)
  await of('a')
  assert.equal(state.searches, 10)
})
