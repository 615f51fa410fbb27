/** Contract tests: replication of another store. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Changes, Store } from './contract.ts'
import { beginToFollow } from './followed.ts'
import { isReached, positionNow } from './positions.ts'
import {
  dice,
  forgotten,
  importAll,
  KEPT_MS,
  moon,
  type OpenStore,
  planet,
  put,
  shown,
  walked,
} from './suite-data.ts'
import { namedValue } from './values.ts'

/** Registers the replication tests for one engine. */
export function followingTests(open: OpenStore): void {
  test('a replica has the same entities, positions, versions and offsets as its upstream', async (t) => {
    const { store: upstream } = await open(t)
    const { store: replica } = await open(t)
    await importAll(upstream, [planet('mars', { title: 'Mars' }), moon('io'), moon('europa')])
    const offset = await followed(upstream, replica)
    await assertSame(replica, upstream)
    await put(upstream, planet('venus'), moon('io', { title: 'Io' }))
    await upstream.write([{ delete: { type: 'sol:moon', id: 'europa' } }])
    await followed(upstream, replica, offset, 1)
    await assertSame(replica, upstream)
    assert.deepEqual(await walked(replica, 1, offset), await walked(upstream, 1, offset))
    assert.equal((await replica.find({ text: 'Io', limit: 5, budgetMs: 60_000 })).total, 1)
  })

  test('replicated changes are invisible before their commit', async (t) => {
    const { store: upstream } = await open(t)
    const { store: replica } = await open(t)
    await put(upstream, planet('mars'))
    const { changes } = await upstream.changes({ limit: 10 })
    const before = await replica.version()
    const following = await beginToFollow(replica)
    await following.add(changes)
    assert.deepEqual([await replica.get('sol:planet', 'mars'), await replica.version()], [undefined, before])
    await following.abort()
    assert.deepEqual([await replica.get('sol:planet', 'mars'), await replica.version()], [undefined, before])
  })

  test('an offset ahead of a replica returns no changes and the same offset', async (t) => {
    const { store: upstream } = await open(t)
    const { store: replica } = await open(t)
    await put(upstream, planet('mars'))
    const offset = await followed(upstream, replica)
    await put(upstream, planet('venus'))
    const ahead = await upstream.changes({ after: offset, limit: 10 })
    const { changes, next, more } = await replica.changes({ after: ahead.next, limit: 10 })
    assert.deepEqual([changes, next, more], [[], ahead.next, false])
    assert.equal(await isReached(replica, ahead.position), false)
  })

  test('a write still in progress at a position counts as later, even if its number is lower', async (t) => {
    const { store: replica } = await open(t)
    const change = (id: string, number: number) => ({
      type: 'sol:moon',
      id,
      entity: { type: 'sol:moon', id, revision: 'r', json: JSON.stringify(moon(id)) },
      position: `epoch-${number}`,
    })
    const take = async (position: string, changes: ReturnType<typeof change>[]) => {
      const following = await beginToFollow(replica)
      await following.add(changes)
      await following.commit({ position, earliest: 'epoch-0', versions: new Map([['sol:moon', 'epoch-25']]) })
    }
    await take('epoch-25.21.22', [change('io', 20), change('europa', 25)])
    assert.equal(await positionNow(replica), 'epoch-25.21.22')
    const reached = (...positions: string[]) =>
      Promise.all(positions.map(async (position) => isReached(replica, position)))
    assert.deepEqual(await reached('epoch-20', 'epoch-25', 'epoch-25.21.22', 'epoch-25.22', 'epoch-26'), [
      true,
      false,
      true,
      false,
      false,
    ])
    const before = await replica.changes({ limit: 9 })
    await take('epoch-25.21', [change('ganymede', 22), change('callisto', 22)])
    await take('epoch-26', [change('thebe', 21), change('amalthea', 26)])
    for (const limit of [1, 2, 9])
      assert.deepEqual((await walked(replica, limit, before.next)).map(shown), [
        'put moon thebe',
        'put moon callisto',
        'put moon ganymede',
        'put moon amalthea',
      ])
    const first = before.changes[0]?.offset
    assert.deepEqual((await walked(replica, 9, first)).map(shown), [
      'put moon thebe',
      'put moon callisto',
      'put moon ganymede',
      'put moon europa',
      'put moon amalthea',
    ])
  })

  test('a reader that hops between replicas of one history receives each change once', async (t) => {
    const roll = dice(11)
    const replicas = await Promise.all([0, 1, 2].map(async () => ({ ...(await open(t)), at: 1 })))
    const history = concurrentHistory(roll, 200)
    for (const { store } of replicas) await takeOver(store, history, 0, 1)
    const seen: string[] = []
    for (let after: string | undefined, isOver = false; !isOver; ) {
      const replica = replicas[roll(3)] as (typeof replicas)[number]
      const target = Math.min(history.length, replica.at + roll(4))
      if (target > replica.at) await takeOver(replica.store, history, replica.at, target)
      replica.at = target
      const read = await replica.store.changes({ after, limit: 1 + roll(4) })
      seen.push(...read.changes.map(({ id }) => id))
      // A reader may continue after any change that it has received.
      const cut = roll(2) === 0 ? read.changes[roll(Math.max(1, read.changes.length))] : undefined
      if (cut) seen.splice(seen.lastIndexOf(cut.id) + 1)
      after = cut?.offset ?? read.next
      isOver = !cut && !read.more && replica.at === history.length
    }
    assert.deepEqual([...seen].sort(), history.flatMap(({ ids }) => ids).sort())
  })

  test('following a different history replaces the previous one without tombstones', async (t) => {
    const { store: first } = await open(t)
    const { store: second } = await open(t)
    const { store: replica } = await open(t)
    await put(first, planet('mars'), planet('old'), moon('io'))
    await first.write([{ delete: { type: 'sol:moon', id: 'io' } }])
    await followed(first, replica)
    await put(second, planet('mars', { title: 'Another' }), planet('new'))
    await followed(second, replica)
    await assertSame(replica, second)
    assert.deepEqual((await walked(replica, 10)).map(shown), ['put planet mars', 'put planet new'])
  })

  test('following from the beginning removes entities whose tombstones were forgotten', async (t) => {
    const { store: upstream } = await open(t)
    const { store: replica } = await open(t)
    await put(upstream, planet('mars'), planet('old'), moon('io'))
    await followed(upstream, replica)
    await upstream.write([{ delete: { type: 'sol:planet', id: 'old' } }])
    await put(upstream, planet('new'))
    const { changes, position, versions = new Map() } = await upstream.changes({ limit: 10 })
    const following = await beginToFollow(replica)
    await following.add(changes.filter(({ entity }) => entity !== undefined))
    await following.commit({ position, earliest: position, versions, fromBeginning: true })
    assert.deepEqual(await entitiesOf(replica), await entitiesOf(upstream))
    assert.deepEqual(await replica.types(), await upstream.types())
    assert.deepEqual((await walked(replica, 10)).map(shown), [
      'put moon io',
      'put planet mars',
      'put planet new',
    ])
  })

  test('tombstones that a replica has forgotten stay forgotten when it continues to follow', async (t) => {
    const { store: upstream } = await open(t)
    const { store: replica, clock } = await open(t)
    await put(upstream, planet('mars'), planet('venus'))
    const early = await followed(upstream, replica)
    await upstream.write([{ delete: { type: 'sol:planet', id: 'mars' } }])
    const late = await followed(upstream, replica, early)
    clock.time = new Date(clock.time.getTime() + KEPT_MS + 1)
    await put(upstream, moon('io'))
    const next = await followed(upstream, replica, late)
    await forgotten(replica, 'sol:planet mars')
    await put(upstream, moon('europa'))
    await followed(upstream, replica, next)
    await assert.rejects(
      Promise.resolve().then(() => replica.changes({ after: early, limit: 1 })),
      { code: 'expired' },
    )
    assert.equal((await upstream.changes({ after: early, limit: 1 })).more, true)
  })

  test('named values are stored with replicated changes and do not move the position', async (t) => {
    const { store: upstream } = await open(t)
    const { store: replica } = await open(t)
    await put(upstream, planet('mars'))
    await followed(upstream, replica, undefined, 10, { name: 'value' })
    assert.equal((await namedValue(replica, 'name'))?.value, 'value')
    assert.equal(await positionNow(replica), await positionNow(upstream))
  })

  test('a replica is identical to its upstream after random writes, imports and deletions', async (t) => {
    const { store: upstream } = await open(t)
    const { store: replica } = await open(t)
    const roll = dice(7)
    const some = () => [planet, moon][roll(2)]?.(`e${roll(20)}`, { title: `t${roll(5)}` }) ?? planet('x')
    let offset: string | undefined
    for (let round = 0; round < 150; round++) {
      const kind = roll(10)
      const { type, id } = some()
      if (kind < 5) await put(upstream, some(), some())
      else if (kind < 8) await upstream.write([{ delete: { type, id } }])
      else await importAll(upstream, [some(), some()], kind === 9 ? [type] : undefined)
      if (roll(4) > 0) continue
      offset = await followed(upstream, replica, offset, 1 + roll(5))
      await assertSame(replica, upstream)
    }
  })
}

interface Ended {
  readonly number: number
  readonly ids: readonly string[]
  /** Position after the write has ended, which names those still in progress. */
  readonly position: string
}

/** Returns writes of several entities each, in the order in which they end. Up to four are in progress at a time. */
function concurrentHistory(roll: (sides: number) => number, writes: number): Ended[] {
  const [running, ended]: [number[], Ended[]] = [[], []]
  for (let next = 1, last = 0; ended.length < writes; ) {
    while (running.length < 4 && next <= writes) running.push(next++)
    const [number = 0] = running.splice(roll(running.length), 1)
    last = Math.max(last, number)
    const ids = Array.from({ length: 1 + roll(3) }, (_, at) => `w${number}-${at}`)
    const pending = running.filter((one) => one < last)
    ended.push({ number, ids, position: `epoch-${[last, ...pending].join('.')}` })
  }
  return ended
}

/** Brings a replica from one index of a history to another. */
async function takeOver(store: Store, history: readonly Ended[], from: number, to: number): Promise<void> {
  const following = await beginToFollow(store)
  for (const { number, ids } of history.slice(from, to))
    await following.add(
      ids.map((id) => {
        const key = { type: 'sol:moon', id }
        const entity = { ...key, revision: 'r', json: JSON.stringify(moon(id)) }
        return { ...key, entity, position: `epoch-${number}` }
      }),
    )
  const { position } = history[to - 1] as Ended
  await following.commit({ position, earliest: 'epoch-0', versions: new Map([['sol:moon', position]]) })
}

/** Replicates all changes after an offset into another store, and returns the next offset. */
async function followed(
  upstream: Store,
  replica: Store,
  after?: string,
  limit = 10,
  metadata?: Record<string, string>,
): Promise<string> {
  const following = await beginToFollow(replica)
  for (let offset = after; ; ) {
    const read: Changes = await upstream.changes({ ...(offset !== undefined && { after: offset }), limit })
    await following.add(read.changes)
    offset = read.next
    if (read.more) continue
    const { position, earliest, versions = new Map() } = read
    await following.commit({ position, earliest, versions, ...(metadata && { values: metadata }) })
    return offset
  }
}

async function assertSame(replica: Store, upstream: Store): Promise<void> {
  assert.equal(await positionNow(replica), await positionNow(upstream))
  assert.deepEqual(await replica.types(), await upstream.types())
  assert.deepEqual(await entitiesOf(replica), await entitiesOf(upstream))
  assert.deepEqual(await walked(replica, 3), await walked(upstream, 3))
}

async function entitiesOf(store: Store) {
  const snapshot = await store.snapshot()
  const entities = await Array.fromAsync(snapshot.entities())
  await snapshot.close()
  return entities
}
