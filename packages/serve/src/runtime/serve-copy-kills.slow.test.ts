import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Store } from '@worldwright/core/store'
import { positionNow } from '@worldwright/core/store'
import { openStore } from '@worldwright/engines'
import { folderOf } from '../../../cli/src/serving.fixture.ts'
import { type UpstreamFixture, upstreamFixture } from './upstream.fixture.ts'

test('a replica killed during its first copy has nothing of it, and the next start completes it', async (t) => {
  const upstream = await upstreamFixture(t)
  const ids = Array.from({ length: 20_000 }, (_, count) => `moon-${count}`)
  await upstream.put('Moon', ...ids)
  const store = `sqlite:${join(await folderOf(t, {}), 'copy.db')}`
  for (const pages of [1, 15]) {
    const asked = pageWatch(upstream, pages)
    const copy = copying(t, upstream.url, store)
    await asked
    await killed(copy)
    assert.deepEqual(await opened(store, async (storage) => [...(await storage.types())]), [])
  }
  const copy = copying(t, upstream.url, store)
  await saidBy(copy, /Caught up/)
  await killed(copy)
  assert.deepEqual(await contentOf(store), await contentOf(upstream.storage))
})

test('a replica killed while it follows holds whole commits, and ends equal to its upstream', async (t) => {
  const upstream = await upstreamFixture(t)
  await upstream.put('0', 'a', 'b')
  const store = `sqlite:${join(await folderOf(t, {}), 'copy.db')}`
  const first = copying(t, upstream.url, store)
  await saidBy(first, /Caught up/)
  await killed(first)
  let isWriting = true
  const writing = (async () => {
    // Both are in one commit, so they have the same title in every state.
    for (let count = 1; isWriting; count++) {
      await upstream.put(`${count}`, 'a', 'b', `only-${count % 50}`)
      if (count % 7 === 0)
        await upstream.storage.write([{ delete: { type: 'sol:moon', id: `only-${(count * 3) % 50}` } }])
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
  })()
  for (const ms of [10, 150]) {
    const copy = copying(t, upstream.url, store)
    await saidBy(copy, /Caught up/)
    await new Promise((resolve) => setTimeout(resolve, ms))
    await killed(copy)
    const [a, b] = await opened(store, async (storage) =>
      Promise.all(
        ['a', 'b'].map(async (id) => JSON.parse((await storage.get('sol:moon', id))?.json ?? '').title),
      ),
    )
    assert.equal(a, b)
  }
  isWriting = false
  await writing
  const last = copying(t, upstream.url, store)
  await saidBy(last, /Caught up/)
  await killed(last)
  assert.deepEqual(await contentOf(store), await contentOf(upstream.storage))
})

/** Starts a replica in a process of its own. */
function copying(t: TestContext, origin: string, store: string): ChildProcess {
  const main = join(import.meta.dirname, '../../../cli/src/main.ts')
  const flags = ['serve', '--follow', origin, '--store', store, '--port', '0', '--workers', '1']
  const argv = ['--conditions=@worldwright/source', main, ...flags]
  const copy = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  t.after(() => copy.kill('SIGKILL'))
  return copy
}

async function saidBy(copy: ChildProcess, pattern: RegExp): Promise<void> {
  let said = ''
  for await (const chunk of copy.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    said += chunk
    if (pattern.test(said)) return
  }
  assert.fail(said)
}

async function killed(copy: ChildProcess): Promise<void> {
  const ended = once(copy, 'close')
  copy.kill('SIGKILL')
  copy.stderr?.resume()
  await ended
}

/** Resolves once an upstream has been asked for this many pages from now on. */
function pageWatch({ onChanges }: UpstreamFixture, pages: number): Promise<void> {
  let left = pages
  return new Promise((resolve) => onChanges(() => --left === 0 && resolve()))
}

async function opened<T>(store: string, work: (storage: Store) => Promise<T>): Promise<T> {
  const storage = await openStore(store, { role: 'writer' })
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** Returns the offset, the versions, and every entity as it is stored. */
async function contentOf(store: string | Store): Promise<unknown> {
  if (typeof store === 'string') return opened(store, contentOf)
  const snapshot = await store.snapshot()
  const entities = await Array.fromAsync(snapshot.entities())
  await snapshot.close()
  return { position: await positionNow(store), versions: await store.types(), entities }
}
