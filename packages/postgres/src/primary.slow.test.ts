import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../core/src/store/contract.ts'
import { epochOf } from '../../core/src/store/history.ts'
import { isReached, positionNow } from '../../core/src/store/positions.ts'
import type { StoreFault } from '../../core/src/store/store-fault.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { startCluster } from './cluster.fixture.ts'
import { Database } from './database.ts'
import { openNode } from './node.ts'
import { NO_POSTGRES } from './server.fixture.ts'

test('a node finds the promoted standby, and refuses the former primary when it comes back', async (t) => {
  const cluster = await startCluster()
  if (cluster === undefined) return t.skip(NO_POSTGRES)
  t.after(() => cluster.end())
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  const open = async () => {
    const node = await openNode(cluster.url, { replica: openSqliteStore(join(folder, 'copy.db')) })
    t.after(() => node.close())
    return node
  }
  const node = await open()
  const put = (id: string, by = node) => by.write([{ put: { type: 'a:one', id, attributes: {} } }])
  assert.ok((await put('before')).done)

  await cluster.primary.kill()
  // The first writes may hit a connection whose loss is only now detected, or a search that began before it.
  let message = ''
  for (let left = 100; left > 0 && !message.includes('it is a standby'); left--)
    await assert.rejects(
      async () => put('between'),
      (fault: StoreFault) => {
        message = fault.message
        return fault.code === 'unreachable'
      },
    )
  assert.match(message, /it is a standby/)
  await cluster.promote()
  // A search for the primary that began before the promotion may still be in progress.
  while (!(await Promise.resolve(put('after')).catch(() => undefined))?.done) await pause(10)
  const ids = async () => (await node.list('a:one', { limit: 9 })).entities.map(({ id }) => id)
  assert.deepEqual(await ids(), ['after', 'before'])

  // Both accept writes now. A node that has seen the new primary refuses the former one, even if it knows no other server.
  await cluster.standby.start()
  const fresh = new Database(cluster.url)
  t.after(() => fresh.close())
  assert.equal((await fresh.query<{ n: number }>('SELECT count(*) AS n FROM entities'))[0]?.n, 2)
  const former = new Database(cluster.standby.url)
  t.after(() => former.close())
  former.primary.remember(fresh.primary.life ?? assert.fail())
  await assert.rejects(former.query('SELECT 1'), {
    code: 'unreachable',
    message: /former primary, of timeline 1, and timeline 2 has begun: nothing is written to it/,
  })

  // The node still refuses it after a restart, with the new primary unreachable: the local replica keeps the newer timeline.
  await node.close()
  await cluster.primary.kill()
  const again = await open()
  await assert.rejects(async () => put('lost', again), { code: 'unreachable', message: /former primary/ })
  assert.equal((await again.list('a:one', { limit: 9 })).entities.length, 2)
})

test('promoting a standby that lacks acknowledged writes begins a new history on all nodes', async (t) => {
  const cluster = await startCluster()
  if (cluster === undefined) return t.skip(NO_POSTGRES)
  t.after(() => cluster.end())
  const nodes = await Promise.all(
    ['one', 'two'].map(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
      t.after(() => rm(folder, { recursive: true }))
      const node = await openNode(cluster.url, { replica: openSqliteStore(join(folder, 'copy.db')) })
      t.after(() => node.close())
      return node
    }),
  )
  const [one, two] = nodes as [Store, Store]
  const put = (id: string, by = one) => by.write([{ put: { type: 'a:one', id, attributes: {} } }])
  const ids = async (of: Store) => (await of.list('a:one', { limit: 9 })).entities.map(({ id }) => id)
  const before = await put('before')
  // Simulates an asynchronous standby that lags behind.
  await cluster.forsakeStandby()
  const lost = await put('lost')
  assert.ok(before.done && lost.done)
  const acknowledged: readonly string[] = [before.position, lost.position]
  while ((await isReached(two, lost.position)) !== true) await pause(10)

  await cluster.primary.kill()
  await cluster.standby.start()
  await cluster.promote()
  for (const node of nodes) while ((await ids(node)).includes('lost')) await pause(10)
  // Both positions belong to a history that has ended, so no node reports that it has reached them.
  for (const node of nodes)
    for (const position of acknowledged) assert.equal(await isReached(node, position), undefined)
  const after = await put('after', two)
  assert.ok(after.done)
  while ((await isReached(one, after.position)) !== true) await pause(10)
  for (const node of nodes) assert.deepEqual(await ids(node), ['after', 'before'])
  assert.equal(epochOf(await positionNow(one)), epochOf(await positionNow(two)))
})
