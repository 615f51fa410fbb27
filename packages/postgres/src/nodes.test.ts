import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import type { FollowedChange, Store } from '../../core/src/store/contract.ts'
import { beginToFollow } from '../../core/src/store/followed.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { isReached, positionNow } from '../../core/src/store/positions.ts'
import { dice } from '../../core/src/store/suite-data.ts'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { openDirect } from './direct.ts'
import { openNode } from './node.ts'
import { startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())
let schemas = 0

/** Opens nodes of one store. */
async function openNodes(t: TestContext, count: number): Promise<Store[] | undefined> {
  if (server === undefined) {
    t.skip('not run: this machine has no PostgreSQL')
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  const url = `${server.url}?schema=n${schemas++}`
  // Concurrently, like machines that start together.
  const nodes = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      openNode(url, { copy: openSqliteStore(join(folder, `${at}.db`)), appliedMs: 60_000 }),
    ),
  )
  t.after(async () => {
    for (const node of nodes) await node.close()
    await rm(folder, { recursive: true })
  })
  return nodes
}

test('concurrently writing nodes converge, each intermediate state is one of the database, and followers miss nothing', async (t) => {
  const nodes = await openNodes(t, 3)
  if (!nodes) return
  const [first] = nodes as [Store, Store, Store]
  // A machine without a local replica, which reads and writes beside them.
  const direct = await openDirect(`${server?.url}?schema=n${schemas - 1}`)
  t.after(() => direct.close())
  const all = [...nodes, direct]
  const writing = new AbortController()
  const torn: string[] = []
  const watching = all.map((node) => lookForTornPairs(node, writing.signal, torn))
  const copies = [first, direct].map((from) => ({
    from,
    copy: createMemoryStore({ search: memorySearch }),
  }))
  const following = copies.map(({ from, copy }) => followUntil(from, copy, writing.signal))
  await Promise.all(Array.from({ length: 6 }, (_, at) => writeRandomly(all[at % 4] as Store, at)))
  writing.abort()
  await Promise.all([...watching, ...following])
  assert.deepEqual(torn, [])
  for (const node of nodes) await node.write([{ put: { type: 'a:last', id: 'last', attributes: {} } }])
  await settled(all)
  for (const [at, { from, copy }] of copies.entries()) await take(from, copy, await following[at])
  const followers = copies.map(({ copy }) => copy)
  const [expected, ...others] = await Promise.all([...all, ...followers].map(contentOf))
  for (const other of others) assert.deepEqual(other, expected)
})

test('a read after a write on another node waits until its node has the write', async (t) => {
  const nodes = await openNodes(t, 2)
  if (!nodes) return
  const [one, two] = nodes as [Store, Store]
  for (let round = 0; round < 20; round++) {
    const result = await one.write([{ put: { type: 'a:one', id: 'x', attributes: { round } } }])
    assert.ok(result.done)
    while ((await isReached(two, result.position)) !== true)
      await new Promise((resume) => setTimeout(resume, 1))
    assert.equal(JSON.parse((await two.get('a:one', 'x'))?.json ?? '{}').attributes.round, round)
  }
})

test('a writer of a value gets its turn among many that use it as a condition', async (t) => {
  const nodes = await openNodes(t, 3)
  if (!nodes) return
  const [first] = nodes as [Store]
  await first.write([], { values: { shared: '0', other: 'same' } })
  const writing = new AbortController()
  let written = 0
  const waited: number[] = []
  const writers = nodes.flatMap((node, at) =>
    [0, 1].map(async (writer) => {
      for (let count = 0; !writing.signal.aborted; count++) {
        const put = { type: 'a:one', id: `w${at}-${writer}`, attributes: { count } }
        await node.write([{ put }], { ifValues: { other: 'same' } })
        written++
      }
    }),
  )
  for (let count = 0; count < 5; count++) {
    const before = written
    const result = await first.write([], {
      values: { shared: `${count + 1}` },
      ifValues: { shared: `${count}` },
    })
    assert.equal(result.done, true)
    waited.push(written - before)
  }
  writing.abort()
  await Promise.all(writers)
  t.diagnostic(`writes of others while one waited: ${waited.join(', ')}`)
  assert.ok(Math.max(...waited) < 100)
})

/** Puts the same number into two types, or into one of its own, or deletes, in random writes. */
async function writeRandomly(node: Store, seed: number): Promise<void> {
  const roll = dice(seed + 1)
  for (let count = 0; count < 25; count++) {
    const id = `e${roll(6)}`
    const attributes = { by: seed, count }
    const alone = { type: roll(2) ? 'b:two' : 'c:three', id: `alone-${id}`, attributes }
    if (roll(3) === 0) await node.write([{ put: alone }])
    else if (roll(5) === 0) await node.write([{ delete: alone }])
    else
      await node.write([
        { put: { type: 'b:two', id, attributes } },
        { put: { type: 'a:one', id, attributes } },
      ])
  }
}

async function lookForTornPairs(node: Store, signal: AbortSignal, torn: string[]): Promise<void> {
  while (!signal.aborted) {
    const snapshot = await node.snapshot()
    const pairs = new Map<string, string[]>()
    for await (const { id, json } of snapshot.entities())
      if (!id.startsWith('alone'))
        pairs.set(id, [...(pairs.get(id) ?? []), JSON.stringify(JSON.parse(json).attributes)])
    await snapshot.close()
    for (const [id, [one, two]] of pairs) if (one !== two) torn.push(`${id}: ${one} and ${two}`)
    await new Promise((resume) => setTimeout(resume, 2))
  }
}

/** Follows a node while it changes; returns the offset to continue from. */
async function followUntil(node: Store, copy: Store, signal: AbortSignal): Promise<string | undefined> {
  let place: string | undefined
  while (!signal.aborted) {
    place = await take(node, copy, place)
    await new Promise((resume) => setTimeout(resume, 2))
  }
  return place
}

async function take(node: Store, copy: Store, after: string | undefined): Promise<string> {
  const following = await beginToFollow(copy)
  for (let place = after; ; ) {
    const page = await node.changes({ ...(place !== undefined && { after: place }), limit: 7 })
    await following.add(page.changes.map(({ place: _, ...change }): FollowedChange => change))
    place = page.next
    if (page.more) continue
    const { position, earliest, versions = new Map() } = page
    await following.commit({ fromBeginning: after === undefined, position, earliest, versions })
    return place
  }
}

async function settled(nodes: readonly Store[]): Promise<void> {
  for (;;) {
    const positions = await Promise.all(nodes.map((node) => positionNow(node)))
    if (new Set(positions).size === 1 && !positions[0]?.includes('.')) return
    await new Promise((resume) => setTimeout(resume, 5))
  }
}

async function contentOf(storage: Store) {
  const snapshot = await storage.snapshot()
  const entities = await Array.fromAsync(snapshot.entities())
  await snapshot.close()
  const { changes } = await storage.changes({ limit: 10_000 })
  return { entities, changes, versions: await storage.types(), position: await positionNow(storage) }
}
