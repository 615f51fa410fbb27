import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../../../test/rounds.ts'
import { nodeCodings } from '../../../node/src/node-codings.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createWorld } from './handler.ts'
import { API, eachCall, ORIGIN } from './world.fixture.ts'

const TYPES = ['sol:moon', 'sol:planet']
const DESCRIPTION = { id: 'urn:example:sol', types: TYPES.map((type) => ({ type })) }

/** One step of a history: a write to a type, or a read of an entity or a page of that type. */
const step = fc.record({
  kind: fc.constantFrom('write', 'entity', 'page'),
  type: fc.constantFrom(...TYPES),
  coding: fc.constantFrom('identity', 'gzip'),
})

const numberOf = (entity: { attributes: { number: number } }) => entity.attributes.number

test('no response is older than a completed write, however store calls interleave', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(step, { minLength: 20, maxLength: 40 }),
      async (scheduler, steps) => {
        const store = createMemoryStore()
        const slow = eachCall(store, async (answer, name) => {
          await scheduler.schedule(Promise.resolve(), `${name} begins`)
          const value = answer()
          await scheduler.schedule(Promise.resolve(), `${name} ends`)
          return value
        })
        const handler = createWorld({ ...DESCRIPTION, store: slow, publicUrl: ORIGIN, codings: nodeCodings })
        const put = (type: string, number: number) => [{ put: { type, id: 'one', attributes: { number } } }]
        const returned = new Map<string, number>()
        for (const type of TYPES) await store.write(put(type, 0))
        let number = 0

        async function write(type: string): Promise<void> {
          // There is one writer per type, so a higher number means a later write.
          number += 1
          const written = number
          await slow.write(put(type, written))
          returned.set(type, Math.max(written, returned.get(type) ?? 0))
        }

        async function read(type: string, kind: string, coding: string): Promise<void> {
          const least = returned.get(type) ?? 0
          const target = `${API}/entities/${type}${kind === 'page' ? '' : '/one'}`
          const { status, body } = await handler.handle({
            method: 'GET',
            target,
            headers: { 'accept-encoding': coding },
          })
          assert.equal(status, 200)
          const json = JSON.parse(Buffer.from(body as Uint8Array).toString())
          const seen = numberOf(kind === 'page' ? json.entities[0] : json)
          assert.ok(seen >= least, `${kind} of ${type} showed ${seen}, though ${least} had been written`)
        }

        const start = Promise.resolve()
        const writers = new Map<string, Promise<void>>()
        const running: Promise<void>[] = []
        const { task } = scheduler.scheduleSequence(
          steps.map(({ kind, type, coding }) => async () => {
            if (kind === 'write')
              writers.set(
                type,
                (writers.get(type) ?? start).then(() => write(type)),
              )
            else running.push(read(type, kind, coding))
          }),
        )
        await scheduler.waitFor(task.then(() => Promise.all([...running, ...writers.values()])))
      },
    ),
    { numRuns: rounds(60, 500) },
  )
})
