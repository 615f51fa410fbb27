import assert from 'node:assert/strict'
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMemoryStore, type ReplicaState, StoreFault } from '@worldwright/core/store'
import { Readiness, type ReadinessOptions, type Reason } from './readiness.ts'

const MEBIBYTE = 1024 * 1024

async function readiness(t: TestContext, options: Partial<ReadinessOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'ready-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'world.db')
  await writeFile(file, '')
  const freeBytes = async () => 1_000 * MEBIBYTE
  const made = new Readiness({ store: createMemoryStore(), file, freeBytes, ...options })
  const codes = (found: readonly Reason[]) => found.map(({ reason }) => reason)
  const reasons = async () => codes((await made.report()).reasons)
  const parts = async () => {
    const { reads, writes, search, follow } = (await made.report()).parts
    return { reads: codes(reads), writes: codes(writes), search: codes(search), follow: codes(follow) }
  }
  return { made, file, reasons, parts }
}

test('a world is ready from its first load until it is stopped', async (t) => {
  const { made, reasons } = await readiness(t)
  assert.deepEqual(await reasons(), ['loading'])
  made.serving()
  assert.deepEqual(await reasons(), [])
  made.stopping()
  assert.deepEqual(await reasons(), ['stopping'])
})

test('a world that loads reports the progress', async () => {
  const loading = new Readiness({ store: createMemoryStore(), loadingText: () => '7 records read.' })
  const { reasons, parts } = await loading.report()
  assert.deepEqual(reasons, [{ reason: 'loading', message: '7 records read.' }])
  assert.deepEqual(parts.reads, reasons)
})

test('a replica is ready once it has caught up and its lag is within the limit', async (t) => {
  let status = { isReady: false, isCurrent: false, currentAt: 0 }
  const now = () => 100_000
  const { made, reasons } = await readiness(t, { status: () => status, maxLag: 60, now })
  made.serving()
  assert.deepEqual(await reasons(), ['loading'])
  status = { isReady: true, isCurrent: true, currentAt: 1 }
  assert.deepEqual(await reasons(), [])
  status = { isReady: true, isCurrent: false, currentAt: 40_000 }
  assert.deepEqual(await reasons(), [])
  status = { isReady: true, isCurrent: false, currentAt: 38_000 }
  assert.deepEqual((await made.report()).reasons, [
    { reason: 'behind', message: 'The replica is 62 s behind; maxLag allows 60.' },
  ])
})

test('a world is not ready if its store fails or its file is missing', async (t) => {
  const store = {
    ...createMemoryStore(),
    types: () => {
      throw new StoreFault('not_a_store', 'page 7 is damaged')
    },
  }
  const failing = await readiness(t, { store })
  failing.made.serving()
  assert.deepEqual((await failing.made.report()).reasons, [
    { reason: 'store', message: 'The store cannot be read: page 7 is damaged' },
  ])
  const { made, file, reasons } = await readiness(t)
  made.serving()
  await unlink(file)
  assert.deepEqual(await reasons(), ['store'])
})

test('a world is not ready if its disk has less than 64 MiB free', async (t) => {
  let free = 64 * MEBIBYTE
  const { made, reasons } = await readiness(t, { freeBytes: async () => free })
  made.serving()
  assert.deepEqual(await reasons(), [])
  free -= 1
  assert.deepEqual(await reasons(), ['disk'])
})

const READY = { reads: [], writes: [], search: [], follow: [] }

test('without its database a node does not write or follow, but reads and searches', async (t) => {
  const store = { ...createMemoryStore(), replicaState: () => ({ currentAt: 1, lost: 'no answer' }) }
  const { made, reasons, parts } = await readiness(t, { store })
  made.serving()
  assert.deepEqual(await reasons(), [])
  assert.deepEqual(await parts(), { ...READY, writes: ['database'], follow: ['database'] })
})

test('a world that takes no writes is ready for everything else', async (t) => {
  for (const options of [{ isWritten: false }, { takesWrites: false }]) {
    const { made, reasons, parts } = await readiness(t, options)
    made.serving()
    assert.deepEqual([await reasons(), await parts()], [[], { ...READY, writes: ['read_only'] }])
  }
})

test('searches are tried, and a failure has its reason', async (t) => {
  let fault = new StoreFault('index_rebuilding', 'The index is being built.')
  const store = { ...createMemoryStore(), find: () => Promise.reject(fault) }
  const { made, reasons, parts } = await readiness(t, { store })
  made.serving()
  assert.deepEqual((await made.report()).parts.search, [
    { reason: 'search', message: 'Searches fail: The index is being built.' },
  ])
  assert.deepEqual([await reasons(), await parts()], [[], { ...READY, search: ['search'] }])
  // Another search may succeed.
  fault = new StoreFault('overloaded', 'Too much waits.')
  assert.deepEqual(await parts(), READY)
})

test('a search that hangs does not delay the report of the other parts', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const store = { ...createMemoryStore(), find: () => new Promise<never>(() => {}) }
  const { made } = await readiness(t, { store })
  made.serving()
  const reported = async (ms: number) => {
    const report = made.report()
    // The timers start when the file has been checked.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    t.mock.timers.tick(ms)
    return (await report).parts.search
  }
  assert.deepEqual(await reported(500), [])
  assert.deepEqual(await reported(1_500), [
    { reason: 'search', message: 'Searches fail: no answer within 2 s' },
  ])
})

test('an index in a cluster that lags too much or is not fed concerns searches only', async (t) => {
  let cluster: ReplicaState = { currentAt: 1_000 }
  const options = { cluster: () => cluster, maxLag: 60, now: () => 62_000 }
  const { made, reasons, parts } = await readiness(t, options)
  made.serving()
  const said = async () => (await made.report()).parts.search.map(({ message }) => message)
  assert.deepEqual(await said(), ['The search index is 61 s behind; maxLag allows 60.'])
  assert.deepEqual([await reasons(), await parts()], [[], { ...READY, search: ['behind'] }])
  cluster = { currentAt: 61_000, lost: 'the mapping was refused' }
  assert.deepEqual(await said(), ['The search index is not fed: the mapping was refused'])
  cluster = { currentAt: 0 }
  assert.deepEqual(await said(), [])
})
