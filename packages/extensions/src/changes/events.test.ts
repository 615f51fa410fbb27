import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import type { WorldRequest } from '../../../core/src/handler/http.ts'
import { beginToFollow } from '../../../core/src/store/followed.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { positionNow } from '../../../core/src/store/positions.ts'
import { WorldFault } from '../../../core/src/world/errors.ts'
import { CHANGES, overStores } from './changes.fixture.ts'
import { eventsIn, isPosition, named, until } from './event-reader.fixture.ts'
import type { Clock } from './event-streams.ts'

const EVENTS = { accept: 'text/event-stream' }

/** Returns a clock that the test advances manually. */
function handClock() {
  const ticks = new Set<() => void>()
  const clock: Clock = (milliseconds, tick) => {
    assert.equal(milliseconds, 15_000)
    ticks.add(tick)
    return () => ticks.delete(tick)
  }
  const tick = () => {
    for (const one of ticks) one()
  }
  return { clock, tick, running: () => ticks.size }
}

overStores('a stream replays missed changes, then sends new ones', async ({ world }) => {
  const { put, remove, opened, store } = await world()
  await put('moon', 'io')
  const { headers, pieces } = await opened(`${CHANGES}?entities=true`, EVENTS)
  assert.equal(headers['content-type'], 'text/event-stream')
  const events = eventsIn(pieces)
  const [io, position] = await until(events, isPosition)
  assert.deepEqual([io && named(io), io?.id], ['put io', io?.data.next])
  assert.equal(JSON.stringify(io?.data.entity), (await store.get('sol:moon', 'io'))?.json)
  assert.equal(position?.data.position, await positionNow(store))
  assert.deepEqual([position?.data.more, position?.id], [false, position?.data.next])
  await put('moon', 'europa')
  assert.deepEqual((await until(events, isPosition)).map(named), ['put europa', 'position'])
  await remove('moon', 'io')
  const [gone, now] = await until(events, isPosition)
  assert.equal(gone && named(gone), 'delete io')
  assert.equal(now?.data.position, await positionNow(store))
  assert.deepEqual(now?.data.versions, { 'sol:moon': await positionNow(store) })
  await events.return(undefined)
})

overStores('a stream resumes after any event, and Last-Event-ID overrides since', async ({ world }) => {
  const { put, opened } = await world()
  await put('moon', 'a', 'b', 'c')
  const first = eventsIn((await opened(CHANGES, EVENTS)).pieces)
  const seen = await until(first, isPosition)
  const headers = { ...EVENTS, 'last-event-id': seen[0]?.id ?? '' }
  const second = eventsIn((await opened(`${CHANGES}?since=${seen[2]?.id}`, headers)).pieces)
  assert.deepEqual((await until(second, isPosition)).map(named), ['put b', 'put c', 'position'])
  await put('moon', 'd')
  const [d] = await until(second, isPosition)
  const third = eventsIn((await opened(`${CHANGES}?since=${d?.id}`, EVENTS)).pieces)
  assert.deepEqual((await until(third, isPosition)).map(named), ['position'])
  for (const stream of [first, second, third]) await stream.return(undefined)
})

overStores(
  'heartbeats are sent every 15 s by one shared clock, which runs only while streams are open',
  async ({ world }) => {
    const { clock, tick, running } = handClock()
    const { put, opened } = await world({ clock })
    const beats: string[] = []
    const targets = ['?since=now', '?since=now&types=sol:planet', '?since=now&types=sol:planet']
    const streams = await Promise.all(
      targets.map(async (query, index) =>
        eventsIn((await opened(CHANGES + query, EVENTS)).pieces, () => beats.push(String(index))),
      ),
    )
    for (const events of streams) await until(events, isPosition)
    assert.equal(running(), 1)
    const [all, planets, more] = streams as [(typeof streams)[0], (typeof streams)[0], (typeof streams)[0]]
    const next = [all, planets, more].map((events) => until(events, isPosition))
    await turn()
    tick()
    for (let count = 0; count < 10; count++) await turn()
    assert.deepEqual(beats.toSorted(), ['0', '1', '2'])
    // The filter excludes this change, so the other streams get the new position with the heartbeat.
    await put('moon', 'io')
    assert.deepEqual((await next[0])?.map(named), ['put io', 'position'])
    for (let count = 0; count < 10; count++) await turn()
    tick()
    for (const seen of [next[1], next[2]]) assert.deepEqual((await seen)?.map(named), ['position'])
    for (const events of streams) await events.return(undefined)
    assert.equal(running(), 0)
  },
)

overStores('a stream ends with its connection, and the last one stops the clock', async ({ world }) => {
  const { clock, running } = handClock()
  const { opened, put } = await world({ clock })
  const left = new AbortController()
  const { pieces } = await opened(CHANGES, EVENTS, { signal: left.signal })
  const events = eventsIn(pieces)
  await until(events, isPosition)
  assert.equal(running(), 1)
  left.abort()
  await events.next().catch(() => {})
  assert.equal(running(), 0)
  await put('moon', 'io')
})

overStores('a closing server ends its streams with a goodbye event', async ({ world }) => {
  const { opened, put } = await world()
  const closing = new AbortController()
  const other = new AbortController()
  const one = eventsIn((await opened(CHANGES, EVENTS, { closing: closing.signal })).pieces)
  const two = eventsIn((await opened(CHANGES, EVENTS, { closing: other.signal })).pieces)
  for (const events of [one, two]) await until(events, isPosition)
  closing.abort()
  assert.equal((await one.next()).value?.event, 'goodbye')
  assert.equal((await one.next()).done, true)
  await put('moon', 'io')
  assert.deepEqual((await until(two, isPosition)).map(named), ['put io', 'position'])
  const late = eventsIn((await opened(CHANGES, EVENTS, { closing: closing.signal })).pieces)
  await until(late, ({ event }) => event === 'goodbye')
  await two.return(undefined)
})

overStores('a stream ends when its token loses read access', async ({ world }) => {
  const { clock, tick } = handClock()
  const allowed = new Set(['one', 'two', 'idle'])
  const admit = ({ headers: { authorization = '' } }: WorldRequest) => {
    if (!allowed.has(authorization)) throw new WorldFault('unauthenticated', 'This token is revoked.')
  }
  const { opened, put } = await world({ clock, admit })
  const openWith = async (authorization: string, target = CHANGES) => {
    const events = eventsIn((await opened(target, { ...EVENTS, authorization })).pieces)
    await until(events, isPosition)
    return events
  }
  const one = await openWith('one')
  const two = await openWith('two')
  const idle = await openWith('idle', `${CHANGES}?types=sol:planet`)
  allowed.delete('two')
  await put('moon', 'io')
  assert.deepEqual((await until(one, isPosition)).map(named), ['put io', 'position'])
  assert.equal((await two.next()).value?.event, 'goodbye')
  assert.equal((await two.next()).done, true)
  assert.equal((await opened(CHANGES, { ...EVENTS, authorization: 'two' })).status, 401)
  allowed.delete('idle')
  tick()
  await until(idle, ({ event }) => event === 'goodbye')
  await one.return(undefined)
})

overStores('a stream ends with an expired event if the history is replaced', async ({ world }) => {
  const { opened, put, store } = await world()
  await put('moon', 'io')
  const events = eventsIn((await opened(CHANGES, EVENTS)).pieces)
  await until(events, isPosition)
  const other = createMemoryStore()
  await other.write([{ put: { type: 'sol:moon', id: 'io', attributes: {} } }])
  const { changes, versions, position, earliest } = await other.changes({ limit: 10 })
  const following = await beginToFollow(store)
  await following.add(changes)
  await following.commit({ versions: versions ?? new Map(), position, earliest, fromBeginning: true })
  const seen = await until(events, ({ event }) => event === 'expired')
  assert.equal(seen.at(-1)?.data.code, 'changes_expired')
  assert.equal((await events.next()).done, true)
  const again = eventsIn((await opened(CHANGES, EVENTS)).pieces)
  assert.deepEqual((await until(again, isPosition)).map(named), ['put io', 'position'])
  await again.return(undefined)
})

overStores(
  'a slow reader misses nothing, but a client that reads nothing for a minute is disconnected',
  async ({ world }) => {
    const { clock, tick, running } = handClock()
    const { opened, store } = await world({ clock })
    const closing = new AbortController()
    const { pieces } = await opened(`${CHANGES}?entities=true`, EVENTS, { closing: closing.signal })
    const slow = eventsIn(pieces)
    const stuck = (await opened(`${CHANGES}?entities=true`, EVENTS)).pieces[Symbol.asyncIterator]()
    await until(slow, isPosition)
    await stuck.next()
    const text = 'x'.repeat(60_000)
    for (let index = 0; index < 40; index++) {
      await store.write([{ put: { type: 'sol:moon', id: `m${index}`, attributes: { text } } }])
      for (let count = 0; count < 8; count++) await turn()
    }
    const seen = await until(slow, ({ event, data }) => event === 'change' && data.id === 'm39')
    const ids = seen.filter(({ event }) => event === 'change').map(({ data }) => data.id)
    assert.deepEqual(
      ids,
      Array.from({ length: 40 }, (_, index) => `m${index}`),
    )
    await until(slow, isPosition)
    const reading = (async () => {
      for await (const _ of slow);
    })()
    for (let count = 0; count < 4; count++) {
      await turn()
      tick()
    }
    await assert.rejects(async () => {
      for (let count = 0; count < 100; count++) if ((await stuck.next()).done) throw new Error('cut off')
    })
    assert.equal(running(), 1)
    void reading
  },
)

overStores('the number of streams is limited per process and per client', async ({ world }) => {
  let ofClient = 0
  const enterStream = () => {
    if (ofClient === 2) return undefined
    ofClient += 1
    return () => ofClient--
  }
  const { opened, send } = await world({ maxStreams: 3, enterStream })
  const leaving = Array.from({ length: 3 }, () => new AbortController())
  const open = (at: number) => opened(CHANGES, EVENTS, { signal: leaving[at]?.signal })
  const refused = async () => {
    const response = await send(CHANGES, EVENTS)
    assert.equal(response.headers['retry-after'], '30')
    return [response.status, response.json().code]
  }
  assert.equal((await send(`${CHANGES}?since=io`, EVENTS)).status, 400)
  await open(0)
  await open(1)
  assert.deepEqual(await refused(), [429, 'rate_limited'])
  ofClient = 0
  await open(2)
  assert.deepEqual(await refused(), [503, 'unavailable'])
  assert.equal((await send(CHANGES)).status, 200)
  leaving[0]?.abort()
  leaving[0] = new AbortController()
  assert.equal((await open(0)).status, 200)
  for (const one of leaving) one.abort()
})
