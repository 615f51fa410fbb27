import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Store } from '../../core/src/store/contract.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import { openSearchAddress } from './address.ts'
import { Cluster } from './cluster.ts'
import { indexDefinition } from './documents.ts'
import { freshIndex, moon } from './feeding.fixture.ts'
import { IndexFeed } from './index-feed.ts'
import { missingForOpenSearch, type OpenSearchCluster, startOpenSearch } from './opensearch.fixture.ts'

const skip = missingForOpenSearch()
let cluster: OpenSearchCluster

before(async () => {
  if (skip === undefined) cluster = await startOpenSearch()
})
after(() => cluster?.end())

/** Cluster that simulates a killed feeder by rejecting requests that match `fatal`. */
class Failing extends Cluster {
  fatal: RegExp | undefined

  override ask(...[path, options]: Parameters<Cluster['ask']>): ReturnType<Cluster['ask']> {
    if (this.fatal?.test(path)) throw new Error('the feeder was killed')
    return super.ask(path, options)
  }
}

async function freshFeed() {
  const address = openSearchAddress(freshIndex(cluster))
  const failing = new Failing(address)
  const index = `${address.index}-1`
  const open = () => new IndexFeed(failing, index, {})
  await open().log.create()
  await failing.do(index, { method: 'PUT', body: indexDefinition(address, {}) })
  return { failing, index, open }
}

async function fedToTheEnd(feed: IndexFeed, store: Store) {
  while (await feed.advance(store));
}

/** Returns the word counts that a read-only node sees, and the number of searchable documents. */
async function stateOf(cluster: Cluster, feed: IndexFeed) {
  await cluster.do(`${feed.index}/_refresh`, { method: 'POST' })
  const { count } = await cluster.do(`${feed.index}/_count`)
  await feed.log.refresh()
  const { documents, terms } = feed.log.words.counts()
  return { count, documents, terms: Object.fromEntries([...terms].sort()) }
}

for (const [when, fatal] of [
  ['before its batch was noted', /_doc\/intent/],
  ['before its documents were sent', /_bulk/],
  ['before it made them visible', /_refresh/],
  ['before it committed its batch', /_create/],
] as const)
  test(`if a feeder dies ${when}, the next one counts every word once`, { skip }, async () => {
    const { failing, open } = await freshFeed()
    const store = createMemoryStore({ search: memorySearch })
    await store.write([moon('io', 'fire'), moon('europa', 'ice'), moon('luna', 'stone')])
    await fedToTheEnd(open(), store)
    await store.write([
      moon('io', 'lava'),
      moon('callisto', 'ice'),
      { delete: { type: 'sol:moon', id: 'luna' } },
    ])
    failing.fatal = fatal
    await assert.rejects(fedToTheEnd(open(), store))
    failing.fatal = undefined
    // A document that may already have been sent changes again before the next feeder starts.
    await store.write([moon('io', 'ash'), moon('callisto', 'ice')])
    await fedToTheEnd(open(), store)
    assert.deepEqual(await stateOf(failing, open()), {
      count: 3,
      documents: 3,
      terms: { '\u0004sol:moon': 3, ash: 1, ice: 2 },
    })
  })

test('the last change in the log wins even if an earlier one has a higher number', { skip }, async () => {
  const { failing, open } = await freshFeed()
  const feed = open()
  // This happens with two nodes if the write that began first had to wait for the other.
  for (const [offset, number, title] of [
    ['1', 7, 'fire'],
    ['2', 6, 'lava'],
  ] as const) {
    const position = `epoch-${number}`
    const entity = { type: 'sol:moon', id: 'io', revision: title, json: jsonOf(title) }
    const change = { type: 'sol:moon', id: 'io', entity, position, offset }
    await feed.advance({
      changes: () => ({
        changes: [change],
        next: offset,
        more: false,
        position,
        earliest: 'epoch-0',
        versions: new Map(),
      }),
    })
  }
  const { terms } = await stateOf(failing, open())
  assert.deepEqual(terms, { lava: 1, '\u0003lava': 1, '\u0004sol:moon': 1 })
})

function jsonOf(title: string): string {
  return JSON.stringify({ type: 'sol:moon', id: 'io', title, attributes: {} })
}

test('changes that another feeder sends late have no effect', { skip }, async () => {
  const { failing, open } = await freshFeed()
  const store = createMemoryStore({ search: memorySearch })
  await store.write([moon('io', 'fire'), moon('europa', 'ice')])
  const feed = open()
  await fedToTheEnd(feed, store)
  const late = open()
  await fedToTheEnd(late, store)
  await store.write([moon('io', 'lava'), { delete: { type: 'sol:moon', id: 'europa' } }])
  await fedToTheEnd(feed, store)
  // These are the word and the prefix of the title.
  const state = { count: 1, documents: 1, terms: { lava: 1, '\u0003lava': 1, '\u0004sol:moon': 1 } }
  assert.deepEqual(await stateOf(failing, open()), state)
  await assert.rejects(fedToTheEnd(late, store), /Another feeder/)
  assert.deepEqual(await stateOf(failing, open()), state)
})

test('readers see the same words whether they open a dictionary early or late', {
  skip,
}, async () => {
  const { failing, open } = await freshFeed()
  const store = createMemoryStore({ search: memorySearch })
  const feed = open()
  const early = open()
  for (let batch = 0; batch < 300; batch++) {
    await store.write([moon(`m${batch % 40}`, `word${batch} moon`)])
    await fedToTheEnd(feed, store)
    if (batch === 100) await early.log.refresh()
  }
  const expected = await stateOf(failing, feed)
  assert.equal(expected.terms['moon'], 40)
  assert.deepEqual(await stateOf(failing, early), expected)
  assert.deepEqual(await stateOf(failing, open()), expected)
})
