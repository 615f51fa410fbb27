import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../../core/src/store/contract.ts'
import { beginToFollow } from '../../../core/src/store/followed.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { CHANGES, worldOver } from './changes.fixture.ts'
import { eventsIn, isPosition, named, until } from './event-reader.fixture.ts'

const EVENTS = { accept: 'text/event-stream' }

/** Returns two servers of one world, the second of which has only what `catchUp` gives it. */
function servers() {
  const store = createMemoryStore()
  const replica = createMemoryStore()
  const log = () => {}
  return {
    ahead: worldOver(store),
    behind: worldOver(replica, { log }),
    catchUp: () => follow(store, replica),
  }
}

async function follow(store: Store, replica: Store): Promise<void> {
  const { changes, position, earliest, versions = new Map() } = await store.changes({ limit: 1_000 })
  const following = await beginToFollow(replica)
  await following.add(changes)
  await following.commit({ position, earliest, versions, fromBeginning: true })
}

test('a server that is behind a reader answers once it has caught up', async () => {
  const { ahead, behind, catchUp } = servers()
  await ahead.put('moon', 'io')
  await catchUp()
  await ahead.put('moon', 'europa')
  const read = await ahead.asked()
  const answer = behind.asked(`since=${read.next}`)
  assert.equal(
    await Promise.race([answer, new Promise((resolve) => setImmediate(resolve, 'waits'))]),
    'waits',
  )
  await ahead.put('moon', 'ganymede')
  await catchUp()
  const { changes, more, position } = await answer
  assert.deepEqual([changes.map(({ id }: { id: string }) => id), more], [['ganymede'], false])
  assert.notEqual(position, read.position)
})

test('a server that stays behind a reader says so, and how far', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { ahead, behind, catchUp } = servers()
  await ahead.put('moon', 'io')
  await catchUp()
  await ahead.put('moon', 'europa')
  const { next, position } = await ahead.asked()
  for (const headers of [{}, EVENTS, { accept: 'application/x-ndjson' }]) {
    const answer = behind.send(`${CHANGES}?since=${next}`, headers)
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
    t.mock.timers.tick(2_000)
    const { status, headers: answered, json } = await answer
    assert.deepEqual([status, answered['retry-after'], json().code], [503, '1', 'unavailable'])
    assert.match(json().message, new RegExp(`has not reached ${position} yet`))
  }
})

test('streams of readers that have read different servers receive each change once', async () => {
  const { ahead, behind, catchUp } = servers()
  await ahead.put('moon', 'io')
  await catchUp()
  const open = async (since: string) =>
    eventsIn((await behind.opened(`${CHANGES}?since=${since}`, EVENTS)).pieces)
  const old = await open((await behind.asked()).next)
  await until(old, isPosition)
  await ahead.put('moon', 'europa')
  const opening = open((await ahead.asked()).next)
  await catchUp()
  const fresh = await opening
  await until(fresh, isPosition)
  assert.deepEqual((await until(old, isPosition)).map(named), ['put europa', 'position'])
  await ahead.put('moon', 'ganymede')
  await catchUp()
  for (const events of [old, fresh]) {
    assert.deepEqual((await until(events, isPosition)).map(named), ['put ganymede', 'position'])
    await events.return(undefined)
  }
})
