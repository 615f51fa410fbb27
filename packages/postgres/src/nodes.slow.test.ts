import assert from 'node:assert/strict'
import { tracingChannel } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { type FollowedChange, type Store, StoreFault } from '../../core/src/store/contract.ts'
import { beginToFollow } from '../../core/src/store/followed.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { isReached, positionNow } from '../../core/src/store/positions.ts'
import { dice } from '../../core/src/store/suite-data.ts'
import { emptyDefinition } from '../../publish/src/definition/definition.ts'
import { worldId } from '../../publish/src/definition/world-id.ts'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { Database } from './database.ts'
import { openDirect } from './direct.ts'
import { openNode } from './node.ts'
import { NO_POSTGRES, startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())
let schemas = 0

/** Opens several nodes of one store. */
async function openNodes(t: TestContext, count: number): Promise<Store[] | undefined> {
  if (server === undefined) {
    t.skip(NO_POSTGRES)
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  const url = `${server.url}?schema=n${schemas++}`
  // The nodes start concurrently, like machines that boot together.
  const nodes = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      openNode(url, { replica: openSqliteStore(join(folder, `${at}.db`)), appliedMs: 60_000 }),
    ),
  )
  t.after(async () => {
    for (const node of nodes) await node.close()
    await rm(folder, { recursive: true })
  })
  return nodes
}

test('nodes that write concurrently converge and expose no partial writes, and followers miss nothing', async (t) => {
  const nodes = await openNodes(t, 3)
  if (!nodes) return
  const [first] = nodes as [Store, Store, Store]
  // A machine without a local replica reads and writes alongside the nodes.
  const direct = await openDirect(`${server?.url}?schema=n${schemas - 1}`)
  t.after(() => direct.close())
  const all = [...nodes, direct]
  const writing = new AbortController()
  const torn: string[] = []
  const watching = all.map((node) => lookForTornPairs(node, writing.signal, torn))
  const replicas = [first, direct].map((from) => ({
    from,
    replica: createMemoryStore({ search: memorySearch }),
  }))
  const following = replicas.map(({ from, replica }) => followUntil(from, replica, writing.signal))
  await Promise.all(Array.from({ length: 6 }, (_, at) => writeRandomly(all[at % 4] as Store, at)))
  writing.abort()
  await Promise.all([...watching, ...following])
  assert.deepEqual(torn, [])
  for (const node of nodes) await node.write([{ put: { type: 'a:last', id: 'last', attributes: {} } }])
  await settled(all)
  for (const [at, { from, replica }] of replicas.entries()) await take(from, replica, await following[at])
  const followers = replicas.map(({ replica }) => replica)
  const [expected, ...others] = await Promise.all([...all, ...followers].map(contentOf))
  for (const other of others) assert.deepEqual(other, expected)
})

test('a node that has reached the position of a write made on another node returns that write', async (t) => {
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

test('a node takes the changes of a burst on another node together', async (t) => {
  const nodes = await openNodes(t, 1)
  if (!nodes) return
  const direct = await openDirect(`${server?.url}?schema=n${schemas - 1}`)
  t.after(() => direct.close())
  let batches = 0
  const counting = { asyncEnd: () => void batches++ }
  const channel = tracingChannel('worldwright:follow')
  channel.subscribe(counting as never)
  t.after(() => channel.unsubscribe(counting as never))
  const begun = performance.now()
  for (let n = 0; n < 100; n++) await direct.write([{ put: { type: 'a:one', id: 'x', attributes: { n } } }])
  await settled([...nodes, direct])
  const most = (performance.now() - begun) / 10 + 2
  assert.ok(batches <= most, `${batches} batches, where ${most} are enough`)
})

test('a node that hangs within a write keeps the type from the others for seconds only', async (t) => {
  const nodes = await openNodes(t, 1)
  if (!nodes) return
  const [healthy] = nodes as [Store]
  const put = { type: 'a:one', id: 'x', attributes: {} }
  assert.ok((await healthy.write([{ put }])).done)
  const hung = new Database(`${server?.url}?schema=n${schemas - 1}`)
  t.after(() => hung.close())
  const locked = Promise.withResolvers<void>()
  const never = new Promise<never>(() => {})
  void hung.writing(async (session) => {
    await session.query(`SELECT 1 FROM types WHERE type = 'a:one' FOR UPDATE`)
    locked.resolve()
    return never
  })
  await locked.promise
  // Each refusal takes two seconds, and the server ends the session of the hung node after four.
  const refusals: string[] = []
  for (;;) {
    try {
      assert.ok((await healthy.write([{ put: { ...put, attributes: { n: refusals.length } } }])).done)
      break
    } catch (error) {
      assert.ok(error instanceof StoreFault)
      refusals.push(error.code)
      assert.ok(refusals.length <= 3, refusals.join())
    }
  }
  assert.deepEqual(new Set(refusals), new Set(['busy']))
})

test('nodes that start together give the world one id', async (t) => {
  const nodes = await openNodes(t, 4)
  if (!nodes) return
  const starts = Array.from({ length: 20 }, (_, at) => worldId(emptyDefinition(), nodes[at % 4] as Store))
  assert.equal(new Set(await Promise.all(starts)).size, 1)
})

test('after a refused write, a node returns the entity that failed the precondition', async (t) => {
  const nodes = await openNodes(t, 2)
  if (!nodes) return
  const [one, two] = nodes as [Store, Store]
  for (let round = 0; round < 20; round++) {
    const put = { type: 'a:one', id: `x${round}`, attributes: {} }
    await one.write([{ put }])
    const result = await two.write([{ put, precondition: { ifAbsent: true } }])
    assert.equal(result.done, false)
    assert.equal((await two.get('a:one', put.id))?.id, put.id)
  }
})

test('values whose names begin with ~~ are read by every node and replicated by none', async (t) => {
  const nodes = await openNodes(t, 2)
  if (!nodes) return
  const [one, two] = nodes as [Store, Store]
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  const replica = openSqliteStore(join(folder, 'x.db'))
  const third = await openNode(`${server?.url}?schema=n${schemas - 1}`, { replica, appliedMs: 60_000 })
  t.after(async () => {
    await third.close()
    await rm(folder, { recursive: true })
  })
  const values = { a: '1', '~a': '2', '~~a': '3', '~~b': '4', '~\x7Fa': '5', '~é': '6' }
  const put = { type: 'a:one', id: 'x', attributes: {} }
  assert.ok((await one.write([{ put }], { values, ifValues: { '~~a': undefined } })).done)
  const refused = await two.write([{ put }], { ifValues: { '~~a': '0' } })
  assert.deepEqual(refused, { done: false, failedValue: '~~a' })
  assert.deepEqual([...(await two.values('~~')).keys()], ['~~a', '~~b'])
  assert.ok((await third.write([], { values: { '~~b': undefined, '~a': '7' } })).done)
  assert.deepEqual([...(await one.values('')).keys()], ['a', '~a', '~~a', '~\x7Fa', '~é'])
  const copied = [...(await replica.values('')).keys()].filter((name) => name in values)
  assert.deepEqual(copied, ['a', '~a', '~\x7Fa', '~é'])
})

test('a write that changes a value is not starved by writes with conditions on values', async (t) => {
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

/** Writes as often as needed: on a busy machine, other nodes may hold the rows for longer than a write waits. */
async function writeAtLast(node: Store, changes: Parameters<Store['write']>[0]): Promise<void> {
  for (let left = 30; ; left--)
    try {
      await node.write(changes)
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'busy' || left === 0) throw error
    }
}

/** Makes random writes. Each one puts a pair of entities with equal attributes, or puts or deletes a single entity. */
async function writeRandomly(node: Store, seed: number): Promise<void> {
  const roll = dice(seed + 1)
  for (let count = 0; count < 25; count++) {
    const id = `e${roll(6)}`
    const attributes = { by: seed, count }
    const alone = { type: roll(2) ? 'b:two' : 'c:three', id: `alone-${id}`, attributes }
    if (roll(3) === 0) await writeAtLast(node, [{ put: alone }])
    else if (roll(5) === 0) await writeAtLast(node, [{ delete: alone }])
    else
      await writeAtLast(node, [
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

/** Replicates `node` into `replica` until the signal aborts. Returns the offset to continue from. */
async function followUntil(node: Store, replica: Store, signal: AbortSignal): Promise<string | undefined> {
  let offset: string | undefined
  while (!signal.aborted) {
    offset = await take(node, replica, offset)
    await new Promise((resume) => setTimeout(resume, 2))
  }
  return offset
}

async function take(node: Store, replica: Store, after: string | undefined): Promise<string> {
  const following = await beginToFollow(replica)
  for (let offset = after; ; ) {
    const page = await node.changes({ ...(offset !== undefined && { after: offset }), limit: 7 })
    await following.add(page.changes.map(({ offset: _, ...change }): FollowedChange => change))
    offset = page.next
    if (page.more) continue
    const { position, earliest, versions = new Map() } = page
    await following.commit({ fromBeginning: after === undefined, position, earliest, versions })
    return offset
  }
}

async function settled(nodes: readonly Store[]): Promise<void> {
  for (;;) {
    const positions = await Promise.all(nodes.map((node) => positionNow(node)))
    if (new Set(positions).size === 1 && !positions[0]?.includes('.')) return
    await new Promise((resume) => setTimeout(resume, 5))
  }
}

async function contentOf(store: Store) {
  const snapshot = await store.snapshot()
  const entities = await Array.fromAsync(snapshot.entities())
  await snapshot.close()
  const { changes } = await store.changes({ limit: 10_000 })
  return { entities, changes, versions: await store.types(), position: await positionNow(store) }
}
