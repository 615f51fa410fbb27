import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Changes, ChangesOptions } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { CHANGES, worldOver } from './changes.fixture.ts'
import { eventsIn, isPosition, named, until } from './event-reader.fixture.ts'

const EVENTS = { accept: 'text/event-stream' }

test('streams with the same filter share reads regardless of where they started', async () => {
  const memory = createMemoryStore()
  let reads = 0
  const changes = (options: ChangesOptions): Changes => {
    reads += 1
    return memory.changes(options) as Changes
  }
  const { put, opened } = worldOver({ ...memory, changes })
  await put('moon', 'io')
  const targets = Array.from({ length: 50 }, (_, index) => `${CHANGES}${index % 2 ? '?since=now' : ''}`)
  const streams = await Promise.all(
    targets.map(async (target) => eventsIn((await opened(target, EVENTS)).pieces)),
  )
  await Promise.all(streams.map((events) => until(events, isPosition)))
  for (let count = 0; count < 5; count++) await turn()
  reads = 0
  await put('moon', 'europa')
  const seen = await Promise.all(streams.map((events) => until(events, isPosition)))
  for (const events of seen) assert.deepEqual(events.map(named), ['put europa', 'position'])
  assert.ok(reads <= 2, `${reads} readings`)
  reads = 0
  const staged = await memory.bulk()
  await staged.add(
    Array.from({ length: 2_500 }, (_, at) => ({ type: 'sol:moon', id: `m${at}`, attributes: {} })),
  )
  await staged.commit({})
  const many = await Promise.all(streams.map((events) => until(events, isPosition)))
  for (const events of many) assert.equal(events.length, 2_501)
  // 64 changes per read, after five smaller reads.
  assert.ok(reads <= 45, `${reads} readings of 2,500 changes`)
  for (const events of streams) await events.return(undefined)
})

test('a change is read only by streams of its type, once for all that had the same changes', async () => {
  const memory = createMemoryStore()
  let reads = 0
  const changes = (options: ChangesOptions) => {
    reads += 1
    return memory.changes(options)
  }
  const { put, opened } = worldOver({ ...memory, changes })
  const planets: ReturnType<typeof eventsIn>[] = []
  for (const moon of ['io', 'europa', 'callisto', 'ganymede']) {
    await put('moon', moon)
    planets.push(eventsIn((await opened(`${CHANGES}?types=sol:planet`, EVENTS)).pieces))
  }
  await Promise.all(planets.map((events) => until(events, isPosition)))
  for (let count = 0; count < 5; count++) await turn()
  reads = 0
  const seen = planets.map((events) => until(events, isPosition))
  await put('moon', 'titan')
  for (let count = 0; count < 20; count++) await turn()
  assert.equal(reads, 0)
  await put('planet', 'mars')
  for (const events of await Promise.all(seen)) assert.deepEqual(events.map(named), ['put mars', 'position'])
  assert.ok(reads <= 2, `${reads} readings`)
  for (const events of planets) await events.return(undefined)
})

test('a failed read ends only the streams waiting for it', async () => {
  const memory = createMemoryStore()
  let isBroken = false
  const changes = (options: ChangesOptions) => {
    if (isBroken) throw new Error('no store')
    return memory.changes(options)
  }
  const { put, opened } = worldOver({ ...memory, changes })
  await put('moon', 'io')
  const first = eventsIn((await opened(CHANGES, EVENTS)).pieces)
  await until(first, isPosition)
  isBroken = true
  await put('moon', 'europa')
  await assert.rejects(first.next())
  isBroken = false
  const second = eventsIn((await opened(CHANGES, EVENTS)).pieces)
  assert.deepEqual((await until(second, isPosition)).map(named), ['put io', 'put europa', 'position'])
  await put('moon', 'callisto')
  assert.deepEqual((await until(second, isPosition)).map(named), ['put callisto', 'position'])
  await second.return(undefined)
})
