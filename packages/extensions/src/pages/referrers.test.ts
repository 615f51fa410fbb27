import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FacetResult, Found } from '../../../core/src/store/contract.ts'
import { referrersHtml, referrersOf } from './referrers.ts'
import { world } from './world-pages.fixture.ts'

const SUN = { type: 'sol:star', id: 'sun' }

async function sectionOf(facet: Partial<FacetResult>): Promise<string | undefined> {
  const counted: FacetResult = { present: 0, absent: 0, buckets: [], ...facet }
  const found = { hits: [], facets: [counted] } as unknown as Found
  const referrers = await referrersOf(SUN, { find: async () => found }, {})
  return referrers && referrersHtml(referrers, []).text
}

test('partial counts are shown as lower bounds, even if no referrer was found', async () => {
  assert.equal(await sectionOf({}), undefined)
  assert.match((await sectionOf({ partial: true })) ?? '', /there may be more/)
  const buckets = [{ type: 'sol:moon', path: ['orbits'], count: 3 }]
  assert.match(
    (await sectionOf({ partial: true, buckets })) ?? '',
    /Orbits \(at least 3\).*<li>at least 3<\/li>/s,
  )
  const more = (await sectionOf({ more: true, buckets })) ?? ''
  assert.match(more, /Orbits \(3\).*these are the 50 most frequent/s)
  assert.ok(!more.includes('at least'))
})

test('a page whose referrers were counted in part is not kept', async () => {
  const { page, store } = await world([{ id: 'mars' }])
  const counted: FacetResult = { present: 0, absent: 0, buckets: [], partial: true }
  const found = { hits: [], facets: [counted] } as unknown as Found
  Object.assign(store, { find: async () => found })
  assert.match(await page('/t/sol%3Aplanet/mars'), /there may be more/)
  Object.assign(counted, { partial: false })
  assert.doesNotMatch(await page('/t/sol%3Aplanet/mars'), /there may be more/)
})
