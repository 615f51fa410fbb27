import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Changes, ChangesOptions } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { CHANGES, worldOver } from './changes.fixture.ts'
import { eventsIn, type SeenEvent, until } from './event-reader.fixture.ts'

const EVENTS = { accept: 'text/event-stream' }

const isPosition = ({ event }: SeenEvent) => event === 'position'

test('concurrent replays take turns, with at most 64 changes per event loop iteration', async () => {
  const memory = createMemoryStore()
  let round = 0
  let running = true
  const count = () => {
    round += 1
    if (running) setImmediate(count)
  }
  const rounds: number[] = []
  const limits: (number | undefined)[] = []
  const changes = (options: ChangesOptions): Changes => {
    rounds.push(round)
    limits.push(options.limit)
    return memory.changes(options) as Changes
  }
  const { store, opened, send } = worldOver({ ...memory, changes })
  await store.write(
    Array.from({ length: 1_000 }, (_, at) => ({ put: { type: 'sol:moon', id: `m${at}`, attributes: {} } })),
  )
  count()
  const streams = await Promise.all(
    Array.from({ length: 300 }, async (_, at) =>
      eventsIn((await opened(`${CHANGES}?types=sol:moon,own:s${at}`, EVENTS)).pieces),
    ),
  )
  const replays = Promise.all(streams.map((events) => until(events, isPosition)))
  const asked = round
  assert.equal((await send('/api/world/v0/entities/sol%3Amoon/m1')).status, 200)
  assert.ok(round - asked <= 3, `a read waited for ${round - asked} rounds`)
  for (const seen of await replays) assert.equal(seen.length, 1_001)
  running = false
  assert.equal(new Set(rounds).size, rounds.length)
  assert.ok(limits.every((limit = 0) => limit <= 64))
  for (const events of streams) await events.return(undefined)
})

test('entities are replayed in batches of at most 64 KiB, and few are read and discarded', async () => {
  const memory = createMemoryStore()
  let read = 0
  const changes = (options: ChangesOptions): Changes => {
    const found = memory.changes(options) as Changes
    read += found.changes.length
    return found
  }
  const { store, opened } = worldOver({ ...memory, changes })
  const attributes = { text: 'x'.repeat(60_000) }
  for (let at = 0; at < 200; at++)
    await store.write([{ put: { type: 'sol:moon', id: `m${at}`, attributes } }])
  const { pieces } = await opened(`${CHANGES}?entities=true`, EVENTS)
  const lengths: number[] = []
  for await (const piece of pieces) {
    lengths.push(piece.length)
    if (piece.toString().includes('event: position')) break
  }
  assert.equal(lengths.length, 200)
  assert.ok(Math.max(...lengths) < 65_536)
  assert.ok(read <= 64 + 2 * 200, `${read} read`)
})
