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

/** A cluster that fails like one whose feeder is killed: no request that matches `fatal` is sent. */
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

async function fedToTheEnd(feed: IndexFeed, storage: Store) {
  while (await feed.advance(storage));
}

/** Returns the word counts as a read-only node sees them, and the number of documents that can be found. */
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
    const storage = createMemoryStore({ search: memorySearch })
    await storage.write([moon('io', 'fire'), moon('europa', 'ice'), moon('luna', 'stone')])
    await fedToTheEnd(open(), storage)
    await storage.write([
      moon('io', 'lava'),
      moon('callisto', 'ice'),
      { delete: { type: 'sol:moon', id: 'luna' } },
    ])
    failing.fatal = fatal
    await assert.rejects(fedToTheEnd(open(), storage))
    failing.fatal = undefined
    // A document that was sent already changes once more before the next feeder starts.
    await storage.write([moon('io', 'ash'), moon('callisto', 'ice')])
    await fedToTheEnd(open(), storage)
    assert.deepEqual(await stateOf(failing, open()), {
      count: 3,
      documents: 3,
      terms: { ash: 1, ice: 2 },
    })
  })

test('the last change is found, even if an earlier change has a higher number', { skip }, async () => {
  const { failing, open } = await freshFeed()
  const feed = open()
  // As with two nodes: the write that began first waited for the other one.
  for (const [place, number, title] of [
    ['1', 7, 'fire'],
    ['2', 6, 'lava'],
  ] as const) {
    const position = `epoch-${number}`
    const entity = { type: 'sol:moon', id: 'io', revision: title, json: jsonOf(title) }
    const change = { type: 'sol:moon', id: 'io', entity, position, place }
    await feed.advance({
      changes: () => ({ changes: [change], next: place, more: false, position, earliest: 'epoch-0' }),
    })
  }
  const { terms } = await stateOf(failing, open())
  assert.deepEqual(terms, { lava: 1, '\u0003lava': 1 })
})

function jsonOf(title: string): string {
  return JSON.stringify({ type: 'sol:moon', id: 'io', title, attributes: {} })
}

test('changes that are fed twice, and late, have no effect', { skip }, async () => {
  const { failing, open } = await freshFeed()
  const storage = createMemoryStore({ search: memorySearch })
  await storage.write([moon('io', 'fire'), moon('europa', 'ice')])
  const feed = open()
  await fedToTheEnd(feed, storage)
  const late = open()
  await fedToTheEnd(late, storage)
  await storage.write([moon('io', 'lava'), { delete: { type: 'sol:moon', id: 'europa' } }])
  await fedToTheEnd(feed, storage)
  // The word, and the prefix of the title.
  const state = { count: 1, documents: 1, terms: { lava: 1, '\u0003lava': 1 } }
  assert.deepEqual(await stateOf(failing, open()), state)
  await assert.rejects(fedToTheEnd(late, storage), /Another feeder/)
  assert.deepEqual(await stateOf(failing, open()), state)
})

test('a dictionary of many batches is the same for a reader that follows it and one that comes late', {
  skip,
}, async () => {
  const { failing, open } = await freshFeed()
  const storage = createMemoryStore({ search: memorySearch })
  const feed = open()
  const early = open()
  for (let batch = 0; batch < 300; batch++) {
    await storage.write([moon(`m${batch % 40}`, `word${batch} moon`)])
    await fedToTheEnd(feed, storage)
    if (batch === 100) await early.log.refresh()
  }
  const expected = await stateOf(failing, feed)
  assert.equal(expected.terms['moon'], 40)
  assert.deepEqual(await stateOf(failing, early), expected)
  assert.deepEqual(await stateOf(failing, open()), expected)
})
