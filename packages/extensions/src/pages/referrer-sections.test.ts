import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FacetResult, Found } from '../../../core/src/store/contract.ts'
import { ReferrerSections } from './referrer-sections.ts'

/** Returns sections over a store whose version and results the test sets, and the number of searches. */
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

test('referrers of an entity are searched for once, and again after a write', async () => {
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

test('a search that was cut short is not cached', async () => {
  const { state, of } = sections({ partial: true, buckets: [MOONS] })
  assert.equal((await of('sun')).isPartial, true)
  state.facet = { buckets: [MOONS] }
  assert.equal((await of('sun')).isPartial, false)
  assert.equal(state.searches, 2)
})

test('the cache is bounded: the oldest section is evicted', async () => {
  const { state, of } = sections({ buckets: [{ ...MOONS, path: ['x'.repeat(1_000_000)] }] })
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) await of(id)
  assert.equal(state.searches, 9)
  await of('i')
  assert.equal(state.searches, 9)
  await of('a')
  assert.equal(state.searches, 10)
})
