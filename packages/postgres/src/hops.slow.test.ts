import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Store } from '../../core/src/store/contract.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { Database } from './database.ts'
import { openDirect } from './direct.ts'
import { openNode } from './node.ts'
import { NO_POSTGRES, startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())

const WRITERS = 6
const WRITES = 100

test('a reader that hops between nodes with and without a replica receives each change once', async (t) => {
  if (server === undefined) return t.skip(NO_POSTGRES)
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  const replicas = [0, 1].map((at) => openSqliteStore(join(folder, `copy-${at}.db`)))
  const stores: Store[] = [
    await openDirect(server.url),
    ...(await Promise.all(replicas.map((replica) => openNode(server.url, { replica })))),
  ]
  const written: string[] = []
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let write = 0; write < WRITES; write++) {
      const ids = Array.from({ length: 1 + (write % 4) }, (_, at) => `w${writer}-${write}-${at}`)
      const puts = ids.map((id) => ({ put: { type: `a:t${writer}`, id, attributes: {} } }))
      await stores[write % stores.length]?.write(puts)
      written.push(...ids)
    }
  })
  let isWritten = false
  const writes = Promise.all(writing).then(() => {
    isWritten = true
  })
  const seen: string[] = []
  let late = 0
  for (let after: string | undefined; !(isWritten && seen.length >= written.length); ) {
    const store = stores[Math.floor(Math.random() * stores.length)] as Store
    const { changes, next } = await store.changes({ after, limit: 1 + Math.floor(Math.random() * 9) })
    // A reader may continue after any change that it has received.
    const read = Math.random() < 0.5 ? changes.slice(0, 1) : changes
    seen.push(...read.map(({ id }) => id))
    after = read.length < changes.length ? read.at(-1)?.offset : next
    if (after?.endsWith(']]')) late += 1
  }
  await writes
  assert.deepEqual(seen.sort(), written.sort())
  t.diagnostic(`${late} offsets with pending writes`)
  for (const store of stores) await store.close()
})

test('a write of two types that waits for one gets a later position than the writes before it in the queue', async (t) => {
  if (server === undefined) return t.skip(NO_POSTGRES)
  const url = `${server.url}?schema=queue`
  const [one, two] = [await openDirect(url), await openDirect(url)]
  const put = (type: string, id: string) => ({ put: { type, id, attributes: {} } })
  await one.write([put('a:one', 'x'), put('a:two', 'x')])
  const other = new Database(url)
  t.after(() => Promise.all([one.close(), two.close(), other.close()]))
  const waiting = async (count: number) => {
    for (;;) {
      const rows = await other.query('SELECT DISTINCT pid FROM pg_locks WHERE NOT granted')
      if (rows.length === count) return
    }
  }
  const writes = await other.writing(async (session) => {
    await session.query(`SELECT 1 FROM types WHERE type = 'a:two' FOR UPDATE`)
    const first = one.write([put('a:two', 'y')])
    await waiting(1)
    const second = two.write([put('a:one', 'z'), put('a:two', 'z')])
    await waiting(2)
    return { first, second }
  })
  const numbers = (await Promise.all([writes.first, writes.second])).map((result) =>
    Number(result.done && result.position.split('-')[1]?.split('.')[0]),
  )
  assert.ok((numbers[0] ?? 0) < (numbers[1] ?? 0), numbers.join())
})
