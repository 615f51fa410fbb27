import assert from 'node:assert/strict'
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMemoryStore, StoreFault } from '@worldwright/core/store'
import { Readiness, type ReadinessOptions } from './readiness.ts'

const MEBIBYTE = 1024 * 1024

async function readiness(t: TestContext, options: Partial<ReadinessOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'ready-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'world.db')
  await writeFile(file, '')
  const freeBytes = async () => 1_000 * MEBIBYTE
  const made = new Readiness({ store: createMemoryStore(), file, freeBytes, ...options })
  const reasons = async () => (await made.reasons()).map(({ reason }) => reason)
  return { made, file, reasons }
}

test('a world is ready from its first load until it is stopped', async (t) => {
  const { made, reasons } = await readiness(t)
  assert.deepEqual(await reasons(), ['loading'])
  made.serving()
  assert.deepEqual(await reasons(), [])
  made.stopping()
  assert.deepEqual(await reasons(), ['stopping'])
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
  assert.deepEqual(await made.reasons(), [
    { reason: 'behind', message: 'The replica is 62 s behind; maxLag allows 60.' },
  ])
})

test('a world is not ready if its store fails or its file is missing', async (t) => {
  const store = {
    types: () => {
      throw new StoreFault('not_a_store', 'page 7 is damaged')
    },
  }
  const failing = await readiness(t, { store })
  failing.made.serving()
  assert.deepEqual(await failing.made.reasons(), [
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
