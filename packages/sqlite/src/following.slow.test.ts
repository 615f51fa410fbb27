import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { Entity } from '@worldwright/client/protocol'
import type { Changes, Store } from '../../core/src/store/contract.ts'
import { beginToFollow } from '../../core/src/store/followed.ts'
import { importAll, moon, planet, put } from '../../core/src/store/suite-data.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'
import { verifySearchIndex } from './verify-index.ts'
import { verifyStore } from './verify-store.ts'

/** More changes than are applied in memory. */
const MANY = 2_500

function moons(count: number, title: string): Entity[] {
  return Array.from({ length: count }, (_, at) => moon(`m${at}`, { title: `${title} ${at % 7}` }))
}

/** Follows `upstream` until the end of its log. `meanwhile` is called after each page. */
async function follow(
  upstream: Store,
  replica: Store,
  after?: string,
  meanwhile: (page: number) => Promise<unknown> = async () => {},
): Promise<string> {
  const following = await beginToFollow(replica)
  for (let offset = after, page = 0; ; page++) {
    const read: Changes = await upstream.changes({
      ...(offset !== undefined && { after: offset }),
      limit: 1_000,
    })
    await following.add(read.changes)
    await meanwhile(page)
    offset = read.next
    if (read.more) continue
    const { position, earliest, versions = new Map() } = read
    await following.commit({ position, earliest, versions })
    return offset
  }
}

function opened(t: TestContext) {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const [upstream, replica, other] = ['owner', 'copy', 'other'].map((name) =>
    openSqliteStore(folder.file(name)),
  )
  assert.ok(upstream && replica && other)
  t.after(async () => {
    for (const store of [upstream, replica, other]) await store.close()
  })
  const assertSame = async (store: Store, name: string) => {
    const [one, two] = [verifyStore(folder.file('copy')), verifyStore(folder.file(name))]
    assert.deepEqual([one.problems, one.contentHash, one.types], [[], two.contentHash, two.types])
    assert.ok(verifySearchIndex(folder.file('copy')).agrees)
    assert.deepEqual(await replica.types(), await store.types())
    for (const text of ['first', 'second', 'third', '3']) {
      const question = { text, limit: 5, budgetMs: 5_000 }
      assert.deepEqual(await replica.find(question), await store.find(question))
    }
  }
  return { upstream, replica, other, file: folder.file('copy'), assertSame }
}

test('many changes are applied in the same way as few, including deletions and a change of history', async (t) => {
  const { upstream, replica, other, assertSame } = opened(t)
  await importAll(upstream, [...moons(MANY, 'first'), planet('mars')])
  let offset = await follow(upstream, replica)
  await assertSame(upstream, 'owner')
  await importAll(upstream, moons(MANY - 100, 'second'), ['sol:moon'])
  offset = await follow(upstream, replica, offset)
  await assertSame(upstream, 'owner')
  assert.deepEqual((await follow(upstream, replica, offset)) !== '', true)
  await importAll(other, [...moons(20, 'third'), planet('venus')])
  await follow(other, replica)
  await assertSame(other, 'other')
})

test('an entity that changes during a takeover ends up in its latest state', async (t) => {
  const { upstream, replica, assertSame } = opened(t)
  const change = async (page: number) => {
    if (page > 1) return
    const [first, second, third] = page === 0 ? ['m0', 'm1', 'm10'] : ['m1', 'm10', 'm100']
    await put(upstream, moon(`${first}`, { title: 'second' }), moon(`new${page}`, { title: 'third' }))
    await upstream.write([{ delete: { type: 'sol:moon', id: `${second}` } }])
    await upstream.write([{ delete: { type: 'sol:moon', id: `${third}` } }])
    await put(upstream, moon(`${third}`, { title: 'third' }))
  }
  await importAll(upstream, moons(MANY, 'first'))
  const offset = await follow(upstream, replica, undefined, change)
  await assertSame(upstream, 'owner')
  await importAll(upstream, moons(MANY, 'third'))
  await follow(upstream, replica, offset, change)
  await assertSame(upstream, 'owner')
})

test('staged changes take no space in the store, block no writers and leave no files', async (t) => {
  const { upstream, replica, file, assertSame } = opened(t)
  await importAll(upstream, moons(MANY, 'first'))
  const sql = new DatabaseSync(file)
  t.after(() => sql.close())
  const pages = () => Number(sql.prepare('PRAGMA page_count').get()?.['page_count'])
  const files = () => readdirSync(dirname(file)).filter((name) => name.startsWith('copy'))
  const [room, before] = [pages(), files()]
  await follow(upstream, replica, undefined, async () => {
    assert.equal(pages(), room)
    sql.exec('BEGIN IMMEDIATE; ROLLBACK')
    if (process.platform !== 'win32') assert.deepEqual(files(), before)
  })
  assert.deepEqual(files(), before)
  await assertSame(upstream, 'owner')
})

test('an aborted takeover leaves nothing behind and can be repeated', async (t) => {
  const { upstream, replica, assertSame } = opened(t)
  await importAll(upstream, moons(MANY, 'first'))
  for (let times = 0; times < 11; times++) {
    const following = await beginToFollow(replica)
    await following.add((await upstream.changes({ limit: MANY })).changes)
    await following.abort()
  }
  await follow(upstream, replica)
  await assertSame(upstream, 'owner')
})
