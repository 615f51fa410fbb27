import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSearchAddress } from './address.ts'
import { Cluster } from './cluster.ts'
import { fedStore, found, freshIndex, moon } from './feeding.fixture.ts'
import { missingForOpenSearch, type OpenSearchCluster, startOpenSearch } from './opensearch.fixture.ts'
import { rebuildClusterIndex, verifyClusterIndex } from './verify.ts'

const skip = missingForOpenSearch()
let nodes: OpenSearchCluster

before(async () => {
  if (skip === undefined) nodes = await startOpenSearch()
})
after(() => nodes?.end())

test('an index with a missing and an extra document is detected and rebuilt', {
  skip,
}, async (t) => {
  const url = freshIndex(nodes)
  const { store, plain, write } = fedStore(t, url)
  const position = await write([moon('io', 'fire'), moon('europa', 'ice'), moon('luna', 'stone')])
  assert.deepEqual(await found(store, 'ice', position), ['europa'])
  const sound = { agrees: true, missing: 0, extra: 0, miscounted: 0 }
  assert.deepEqual(await verifyClusterIndex(plain, url), sound)
  const cluster = new Cluster(openSearchAddress(url))
  const { index } = cluster.address
  const body = { query: { terms: { id: ['io', 'luna'] } } }
  const { hits } = await cluster.do(`${index}/_search`, { body })
  const [first, second] = hits.hits.map(({ _id }: { _id: string }) => _id)
  const lines = [{ delete: { _id: first } }, { index: { _id: 'other' } }, { type: 't:t', id: 'x' }]
  await cluster.do(`${index}/_bulk?refresh=true`, { body: [...lines, { delete: { _id: second } }] })
  assert.deepEqual(await verifyClusterIndex(plain, url), { ...sound, agrees: false, missing: 2, extra: 1 })
  await rebuildClusterIndex(plain, url, () => {})
  assert.deepEqual(await verifyClusterIndex(plain, url), sound)
  assert.deepEqual(await found(store, 'fire'), ['io'])
})
