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

test('a replica killed during its first copy is empty, and the next start completes the copy', async (t) => {
  const upstream = await upstreamFixture(t)
  const ids = Array.from({ length: 20_000 }, (_, count) => `moon-${count}`)
  await upstream.put('Moon', ...ids)
  const url = `sqlite:${join(await folderOf(t, {}), 'copy.db')}`
  for (const pages of [1, 15]) {
    const asked = pageWatch(upstream, pages)
    const replica = replicating(t, upstream.url, url)
    await asked
    await killed(replica)
    assert.deepEqual(await opened(url, async (store) => [...(await store.types())]), [])
  }
  const replica = replicating(t, upstream.url, url)
  await saidBy(replica, /Caught up/)
  await killed(replica)
  assert.deepEqual(await contentOf(url), await contentOf(upstream.store))
})

test('a replica killed while it follows contains only complete commits', async (t) => {
  const upstream = await upstreamFixture(t)
  await upstream.put('0', 'a', 'b')
  const url = `sqlite:${join(await folderOf(t, {}), 'copy.db')}`
  const first = replicating(t, upstream.url, url)
  await saidBy(first, /Caught up/)
  await killed(first)
  let isWriting = true
  const writing = (async () => {
    // Both moons are written in one commit, so they always have the same title.
    for (let count = 1; isWriting; count++) {
      await upstream.put(`${count}`, 'a', 'b', `only-${count % 50}`)
      if (count % 7 === 0)
        await upstream.store.write([{ delete: { type: 'sol:moon', id: `only-${(count * 3) % 50}` } }])
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
  })()
  for (const ms of [10, 150]) {
    const replica = replicating(t, upstream.url, url)
    await saidBy(replica, /Caught up/)
    await new Promise((resolve) => setTimeout(resolve, ms))
    await killed(replica)
    const [a, b] = await opened(url, async (store) =>
      Promise.all(
        ['a', 'b'].map(async (id) => JSON.parse((await store.get('sol:moon', id))?.json ?? '').title),
      ),
    )
    assert.equal(a, b)
  }
  isWriting = false
  await writing
  const last = replicating(t, upstream.url, url)
  await saidBy(last, /Caught up/)
  await killed(last)
  assert.deepEqual(await contentOf(url), await contentOf(upstream.store))
})

/** Starts a replica in a separate process. */
function replicating(t: TestContext, origin: string, store: string): ChildProcess {
  const main = join(import.meta.dirname, '../../../cli/src/main.ts')
  const flags = ['serve', '--follow', origin, '--store', store, '--port', '0', '--workers', '1']
  const argv = ['--conditions=@worldwright/source', main, ...flags]
  const replica = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  t.after(() => replica.kill('SIGKILL'))
  return replica
}

async function saidBy(replica: ChildProcess, pattern: RegExp): Promise<void> {
  let said = ''
  for await (const chunk of replica.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    said += chunk
    if (pattern.test(said)) return
  }
  assert.fail(said)
}

async function killed(replica: ChildProcess): Promise<void> {
  const ended = once(replica, 'close')
  replica.kill('SIGKILL')
  replica.stderr?.resume()
  await ended
}

/** Resolves when an upstream has received this many more requests for changes. */
function pageWatch({ onChanges }: UpstreamFixture, pages: number): Promise<void> {
  let left = pages
  return new Promise((resolve) => onChanges(() => --left === 0 && resolve()))
}

async function opened<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url, { role: 'writer' })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Returns the offset, the versions, and all stored entities. */
async function contentOf(store: string | Store): Promise<unknown> {
  if (typeof store === 'string') return opened(store, contentOf)
  const snapshot = await store.snapshot()
  const entities = await Array.fromAsync(snapshot.entities())
  await snapshot.close()
  return { position: await positionNow(store), versions: await store.types(), entities }
}
