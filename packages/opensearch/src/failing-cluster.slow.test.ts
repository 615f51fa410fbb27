import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createMemoryStore, type Query } from '@worldwright/core/store'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import { openSearchAddress } from './address.ts'
import { Cluster } from './cluster.ts'
import { aliasedIndex } from './feeder.ts'
import { fedStore, found, foundBy, freshIndex, moon } from './feeding.fixture.ts'
import { missingForOpenSearch, type OpenSearchCluster, startOpenSearch } from './opensearch.fixture.ts'
import type { SearchedStore } from './searched-store.ts'
import { verifyClusterIndex } from './verify.ts'

const skip = missingForOpenSearch()
const LOOK_MS = 50
let cluster: OpenSearchCluster

before(async () => {
  if (skip === undefined) cluster = await startOpenSearch()
})
after(() => cluster?.end())

async function admin(method: 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
  const response = await fetch(`http://${cluster.hosts[0]}/${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  assert.ok(response.ok, await response.text())
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

function isStuck({ clusterState }: SearchedStore): boolean {
  return clusterState().lost !== undefined
}

/** Returns a store with an index of its own, and the number of searches that this index answered. */
function counting() {
  const store = createMemoryStore({ search: memorySearch })
  const counted = { own: 0 }
  const find = (query: Query) => {
    counted.own += 1
    return store.find(query)
  }
  return { counted, plain: { ...store, find } }
}

test('a refused mapping is told, and the index is built once it is accepted', { skip }, async (t) => {
  const url = freshIndex(cluster)
  const { index } = openSearchAddress(url)
  const properties = { terms: { properties: { own: { type: 'keyword' } } } }
  await admin('PUT', `_index_template/${index}`, {
    index_patterns: [`${index}-*`],
    template: { mappings: { properties } },
  })
  const { store, said, write } = fedStore(t, url)
  await write([moon('io')])
  await until(() => isStuck(store))
  // A node that does not feed the index learns the reason from the one that does.
  const other = fedStore(t, url)
  await until(() => isStuck(other.store))
  assert.deepEqual(other.said, [])
  assert.match(said.at(-1) ?? '', /^The search index is not fed, 3 times in succession: .* with 400: /)
  const query = { text: 'io', limit: 10, budgetMs: 1_000 }
  await assert.rejects(async () => store.find(query), {
    code: 'index_rebuilding',
    details: { failing: true },
  })
  await admin('DELETE', `_index_template/${index}`)
  assert.deepEqual(await found(store, 'io'), ['io'])
  for (const { clusterState } of [store, other.store])
    await until(() => clusterState().lost === undefined && clusterState().currentAt > 0)
  assert.equal(said.at(-1), 'The search index is fed again.')
})

test('while the cluster is down, the own index continues a list that the cluster began', {
  skip,
}, async (t) => {
  const { counted, plain } = counting()
  const { store, write } = fedStore(t, freshIndex(cluster), { plain, hasOwnIndex: true })
  const without = fedStore(t, freshIndex(cluster))
  const moons = Array.from({ length: 300 }, (_, at) =>
    moon(`m${at}`, `${'ice '.repeat((at % 7) + 1)} moon ${at % 3 ? 'of fire' : ''}`, { at: at % 11 }),
  )
  const position = await write(moons)
  await found(without.store, 'moon', await without.write(moons))
  for (const question of [
    { text: 'ice fire' },
    { text: 'moon', sort: [{ by: 'value', property: ['at'], kind: 'number', descending: false }] as const },
  ]) {
    const query: Query = { ...question, limit: 100, budgetMs: 5_000, position }
    await until(() => store.clusterState().currentAt > 0)
    counted.own = 0
    const first = await foundBy(store, query)
    assert.equal(counted.own, 0)
    await cluster.kill(0)
    const hits = [...first.hits]
    for (let { last } = first; last; ) {
      const next = await store.find({ ...query, after: last })
      hits.push(...next.hits)
      last = next.last
    }
    assert.ok(counted.own > 0)
    const all = await plain.find({ ...query, limit: 300 })
    assert.deepEqual(hits, all.hits)
    await until(() => isStuck(store) && isStuck(without.store))
    const refused = await Promise.resolve(
      without.store.find({ text: 'ice', limit: 1, budgetMs: 1_000 }),
    ).catch((error) => error)
    assert.equal(refused.code, 'search_unreachable')
    assert.equal(refused.details.failing, true)
    assert.ok(refused.details.lagSeconds > 0)
    await cluster.start(0)
    await until(() => !isStuck(store) && !isStuck(without.store))
    counted.own = 0
    assert.equal((await foundBy(store, query)).total, all.total)
    assert.equal(counted.own, 0)
  }
})

test('an index that was deleted is built again, and is meanwhile not missed', { skip }, async (t) => {
  const { plain } = counting()
  const url = freshIndex(cluster)
  const { store, write, said } = fedStore(t, url, { plain, hasOwnIndex: true })
  const second = fedStore(t, url, { plain })
  const position = await write([moon('io', 'Io'), moon('europa', 'Europa')])
  assert.deepEqual(await found(second.store, 'io', position), ['io'])
  const indexOf = new Cluster(openSearchAddress(url))
  for (const isWhole of [false, true]) {
    const gone = await aliasedIndex(indexOf)
    await admin('DELETE', isWhole ? `${gone},${gone}-words` : `${gone}`)
    assert.deepEqual(await found(store, 'io'), ['io'])
    await until(async () => ((await aliasedIndex(indexOf)) ?? gone) !== gone)
    assert.deepEqual(await found(second.store, 'io', position), ['io'])
    assert.equal((await verifyClusterIndex(plain, url)).agrees, true)
  }
  assert.deepEqual([...said, ...second.said], [])
})
