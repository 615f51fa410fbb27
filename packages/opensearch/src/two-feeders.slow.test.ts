import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after, before, type TestContext, test } from 'node:test'
import type { Operation } from '../../core/src/store/contract.ts'
import { positionNow } from '../../core/src/store/positions.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { temporaryFolder } from '../../sqlite/src/temporary-folder.fixture.ts'
import { fedStore, found, freshIndex, moon } from './feeding.fixture.ts'
import { type HeldWay, type Hold, openHeldWay } from './held-way.fixture.ts'
import { missingForOpenSearch, type OpenSearchCluster, startOpenSearch } from './opensearch.fixture.ts'
import { verifyClusterIndex } from './verify.ts'

const skip = missingForOpenSearch()
const PROGRAM = new URL('feeding-process.fixture.ts', import.meta.url)
/** Time after which the second node takes a lease that is not renewed, in milliseconds. */
const LEASE_FREE_MS = 1_500
const SOUND = { agrees: true, missing: 0, extra: 0, miscounted: 0 }
let cluster: OpenSearchCluster

before(async () => {
  if (skip === undefined) cluster = await startOpenSearch()
})
after(() => cluster?.end())

/** Starts a process that feeds an index from a store, through a proxy that can hold requests. */
async function firstFeeder(t: TestContext) {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const file = folder.file('world.db')
  const plain = openSqliteStore(file)
  const url = freshIndex(cluster)
  const way = await openHeldWay(cluster.hosts[0] as string)
  t.after(() => way.end())
  const feeder = fork(PROGRAM, [file, url.replace(cluster.hosts.join(), way.host)], {
    execArgv: ['--conditions=@worldwright/source'],
  })
  t.after(() => feeder.kill('SIGKILL'))
  return { plain, url, way, feeder }
}

function moons(title: (at: number) => string, count: number): Operation[] {
  return Array.from({ length: count }, (_, at) => moon(`m${at}`, title(at)))
}

function deleted(id: string): Operation {
  return { delete: { type: 'sol:moon', id } }
}

/** Changes made while the first node feeds, and further changes made before the second node starts. */
interface Changes {
  readonly first: readonly Operation[]
  readonly second: readonly Operation[]
}

/** Changes that fill more than one batch of a feeder. */
const MANY: Changes = {
  first: [
    ...moons((at) => `lava w${at % 7}`, 600),
    ...Array.from({ length: 40 }, (_, at) => deleted(`m${at + 620}`)),
  ],
  second: moons((at) => (at % 2 ? 'ash' : `dust w${at % 5}`), 90),
}
/** Few enough changes that the second node's batch has the same number and entities as the first node's. */
const FEW: Changes = {
  first: [deleted('m0'), moon('m1', 'lava'), moon('new', 'lava')],
  second: [moon('m1', 'ash'), moon('new', 'dust')],
}

/** Lets the first node feed up to the held request, after which the second node takes over and finishes. */
async function takenOver(
  t: TestContext,
  hold: Hold,
  changes: Changes,
  stop: (feeder: ChildProcess) => Promise<void>,
) {
  const { plain, url, way, feeder } = await firstFeeder(t)
  await plain.write(moons((at) => `stone w${at % 11}`, 700))
  while ((await verifyClusterIndex(plain, url).catch(() => undefined))?.agrees !== true);
  const held = way.hold(hold)
  await plain.write(changes.first)
  await held
  await plain.write(changes.second)
  const began = performance.now()
  const { store, said } = fedStore(t, url, { plain, leaseFreeMs: LEASE_FREE_MS })
  await stop(feeder)
  assert.ok((await found(store, 'ash', await positionNow(plain))).length > 0)
  assert.ok(performance.now() - began >= LEASE_FREE_MS)
  assert.deepEqual(await verifyClusterIndex(plain, url), SOUND)
  assert.deepEqual(said, [])
  return { plain, url, way, feeder, store }
}

async function kill(feeder: ChildProcess): Promise<void> {
  feeder.kill('SIGKILL')
  await once(feeder, 'exit')
}

const PLACES: readonly (readonly [string, Hold])[] = [
  ['its batch is noted', { path: /_doc\/intent/, at: 'request' }],
  ['its documents are sent', { path: /_bulk/, at: 'request' }],
  ['its batch is committed, which has its documents', { path: /_create\//, at: 'request' }],
  ['it hears that its documents have come', { path: /_bulk/, at: 'answer' }],
  ['it hears that its batch is committed', { path: /_create\//, at: 'answer' }],
]

for (const [place, hold] of PLACES) {
  test(`another feeder completes the work if one is killed before ${place}`, { skip }, async (t) => {
    await takenOver(t, hold, MANY, kill)
  })

  test(`a feeder that stalls before ${place} changes nothing when it resumes`, {
    skip,
  }, async (t) => {
    const { plain, url, way, feeder } = await takenOver(t, hold, FEW, async (first) => {
      first.kill('SIGSTOP')
    })
    await goesOnLate(feeder, way)
    assert.deepEqual(await verifyClusterIndex(plain, url), SOUND)
  })
}

/** Resumes a stalled feeder and waits until it has ended its batch and reads the lease again. */
async function goesOnLate(feeder: ChildProcess, way: HeldWay): Promise<void> {
  feeder.kill('SIGCONT')
  way.release()
  await way.hold({ path: /_doc\/lease/, at: 'answer' })
}
