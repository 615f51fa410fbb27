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

/** Registers the tests of replication for one engine. */
export function followingTests(open: OpenStore): void {
  test('a replica becomes identical: entities, positions, versions, offsets', async (t) => {
    const { storage: upstream } = await open(t)
    const { storage: copy } = await open(t)
    await importAll(upstream, [planet('mars', { title: 'Mars' }), moon('io'), moon('europa')])
    const place = await followed(upstream, copy)
    await assertSame(copy, upstream)
    await put(upstream, planet('venus'), moon('io', { title: 'Io' }))
    await upstream.write([{ delete: { type: 'sol:moon', id: 'europa' } }])
    await followed(upstream, copy, place, 1)
    await assertSame(copy, upstream)
    assert.deepEqual(await walked(copy, 1, place), await walked(upstream, 1, place))
    assert.equal((await copy.find({ text: 'Io', limit: 5, budgetMs: 60_000 })).total, 1)
  })

  test('replicated changes are invisible before their commit', async (t) => {
    const { storage: upstream } = await open(t)
    const { storage: copy } = await open(t)
    await put(upstream, planet('mars'))
    const { changes } = await upstream.changes({ limit: 10 })
    const before = await copy.version()
    const following = await beginToFollow(copy)
    await following.add(changes)
    assert.deepEqual([await copy.get('sol:planet', 'mars'), await copy.version()], [undefined, before])
    await following.abort()
    assert.deepEqual([await copy.get('sol:planet', 'mars'), await copy.version()], [undefined, before])
  })

  test('an offset ahead of a replica gives no changes, and the same offset', async (t) => {
    const { storage: upstream } = await open(t)
    const { storage: copy } = await open(t)
    await put(upstream, planet('mars'))
    const place = await followed(upstream, copy)
    await put(upstream, planet('venus'))
    const ahead = await upstream.changes({ after: place, limit: 10 })
    const { changes, next, more } = await copy.changes({ after: ahead.next, limit: 10 })
    assert.deepEqual([changes, next, more], [[], ahead.next, false])
    assert.equal(await isReached(copy, ahead.position), false)
  })

  test('a write still in progress at a position comes after it, whatever its number', async (t) => {
    const { storage: copy } = await open(t)
    const change = (id: string, number: number) => ({
      type: 'sol:moon',
      id,
      entity: { type: 'sol:moon', id, revision: 'r', json: JSON.stringify(moon(id)) },
      position: `epoch-${number}`,
    })
    const take = async (position: string, changes: ReturnType<typeof change>[]) => {
      const following = await beginToFollow(copy)
      await following.add(changes)
      await following.commit({ position, earliest: 'epoch-0', versions: new Map([['sol:moon', 'epoch-25']]) })
    }
    await take('epoch-25.21.22', [change('io', 20), change('europa', 25)])
    assert.equal(await positionNow(copy), 'epoch-25.21.22')
    const reached = (...positions: string[]) =>
      Promise.all(positions.map(async (position) => isReached(copy, position)))
    assert.deepEqual(await reached('epoch-20', 'epoch-25', 'epoch-25.21.22', 'epoch-25.22', 'epoch-26'), [
      true,
      false,
      true,
      false,
      false,
    ])
    const before = await copy.changes({ limit: 9 })
    await take('epoch-25.21', [change('ganymede', 22), change('callisto', 22)])
    await take('epoch-26', [change('thebe', 21), change('amalthea', 26)])
    for (const limit of [1, 2, 9])
      assert.deepEqual((await walked(copy, limit, before.next)).map(shown).slice(-1), ['put moon amalthea'])
    assert.deepEqual((await walked(copy, 9, before.next)).map(shown), [
      'put moon thebe',
      'put moon callisto',
      'put moon ganymede',
      'put moon amalthea',
    ])
    const first = before.changes[0]?.place
    assert.deepEqual((await walked(copy, 9, first)).map(shown), [
      'put moon thebe',
      'put moon callisto',
      'put moon ganymede',
      'put moon europa',
      'put moon amalthea',
    ])
  })

  test('another history replaces the one followed before, without tombstones', async (t) => {
    const { storage: first } = await open(t)
    const { storage: second } = await open(t)
    const { storage: copy } = await open(t)
    await put(first, planet('mars'), planet('old'), moon('io'))
    await first.write([{ delete: { type: 'sol:moon', id: 'io' } }])
    await followed(first, copy)
    await put(second, planet('mars', { title: 'Another' }), planet('new'))
    await followed(second, copy)
    await assertSame(copy, second)
    assert.deepEqual((await walked(copy, 10)).map(shown), ['put planet mars', 'put planet new'])
  })

  test('a read from the beginning is complete: entities with forgotten tombstones are removed', async (t) => {
    const { storage: upstream } = await open(t)
    const { storage: copy } = await open(t)
    await put(upstream, planet('mars'), planet('old'), moon('io'))
    await followed(upstream, copy)
    await upstream.write([{ delete: { type: 'sol:planet', id: 'old' } }])
    await put(upstream, planet('new'))
    const { changes, position, versions = new Map() } = await upstream.changes({ limit: 10 })
    const following = await beginToFollow(copy)
    await following.add(changes.filter(({ entity }) => entity !== undefined))
    await following.commit({ position, earliest: position, versions, fromBeginning: true })
    assert.deepEqual(await entitiesOf(copy), await entitiesOf(upstream))
    assert.deepEqual(await copy.types(), await upstream.types())
    assert.deepEqual((await walked(copy, 10)).map(shown), [
      'put moon io',
      'put planet mars',
      'put planet new',
    ])
  })

  test('tombstones that a replica has forgotten stay forgotten when it follows on', async (t) => {
    const { storage: upstream } = await open(t)
    const { storage: copy, clock } = await open(t)
    await put(upstream, planet('mars'), planet('venus'))
    const early = await followed(upstream, copy)
    await upstream.write([{ delete: { type: 'sol:planet', id: 'mars' } }])
    const late = await followed(upstream, copy, early)
    clock.time = new Date(clock.time.getTime() + KEPT_MS + 1)
    await put(upstream, moon('io'))
    const next = await followed(upstream, copy, late)
    await forgotten(copy, 'sol:planet mars')
    await put(upstream, moon('europa'))
    await followed(upstream, copy, next)
    await assert.rejects(
      Promise.resolve().then(() => copy.changes({ after: early, limit: 1 })),
      { code: 'expired' },
    )
    assert.equal((await upstream.changes({ after: early, limit: 1 })).more, true)
  })

  test('named values are stored with replicated changes, and move no position', async (t) => {
    const { storage: upstream } = await open(t)
    const { storage: copy } = await open(t)
    await put(upstream, planet('mars'))
    await followed(upstream, copy, undefined, 10, { name: 'value' })
    assert.equal((await namedValue(copy, 'name'))?.value, 'value')
    assert.equal(await positionNow(copy), await positionNow(upstream))
  })

  test('after random writes, imports and deletions a replica is identical', async (t) => {
    const { storage: upstream } = await open(t)
    const { storage: copy } = await open(t)
    const roll = dice(7)
    const some = () => [planet, moon][roll(2)]?.(`e${roll(20)}`, { title: `t${roll(5)}` }) ?? planet('x')
    let place: string | undefined
    for (let round = 0; round < 150; round++) {
      const kind = roll(10)
      const { type, id } = some()
      if (kind < 5) await put(upstream, some(), some())
      else if (kind < 8) await upstream.write([{ delete: { type, id } }])
      else await importAll(upstream, [some(), some()], kind === 9 ? [type] : undefined)
      if (roll(4) > 0) continue
      place = await followed(upstream, copy, place, 1 + roll(5))
      await assertSame(copy, upstream)
    }
  })
}

/** Replicates all changes after an offset into another store, and returns the next offset. */
async function followed(
  upstream: Store,
  copy: Store,
  after?: string,
  limit = 10,
  metadata?: Record<string, string>,
): Promise<string> {
  const following = await beginToFollow(copy)
  for (let place = after; ; ) {
    const read: Changes = await upstream.changes({ ...(place !== undefined && { after: place }), limit })
    await following.add(read.changes)
    place = read.next
    if (read.more) continue
    const { position, earliest, versions = new Map() } = read
    await following.commit({ position, earliest, versions, ...(metadata && { values: metadata }) })
    return place
  }
}

async function assertSame(copy: Store, upstream: Store): Promise<void> {
  assert.equal(await positionNow(copy), await positionNow(upstream))
  assert.deepEqual(await copy.types(), await upstream.types())
  assert.deepEqual(await entitiesOf(copy), await entitiesOf(upstream))
  assert.deepEqual(await walked(copy, 3), await walked(upstream, 3))
}

async function entitiesOf(storage: Store) {
  const snapshot = await storage.snapshot()
  const entities = await Array.fromAsync(snapshot.entities())
  await snapshot.close()
  return entities
}
