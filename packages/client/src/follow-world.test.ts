import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import fc from 'fast-check'
import type { Change } from './change.ts'
import { connect } from './connect.ts'
import { isWorldError } from './error.ts'
import type { Fetch } from './redirect.ts'

const DESCRIPTION = { id: 'urn:example:sol', types: [{ type: 'sol:moon' }, { type: 'sol:star' }] }
const ORIGIN = 'https://sol.example'

/** A world that can be restarted, and whose connections can be broken. */
class BreakingWorld {
  readonly store = createMemoryStore()
  #answer = this.#started()
  #cut = new AbortController()
  /** Number of bytes to send before breaking a connection. */
  #budget = Number.POSITIVE_INFINITY

  restart(): void {
    this.breakAll()
    this.#answer = this.#started()
  }

  breakAll(): void {
    this.#cut.abort(new TypeError('cut'))
    this.#cut = new AbortController()
  }

  breakAfter(bytes: number): void {
    this.#budget = bytes
  }

  readonly fetch: Fetch = async (url, init) => {
    const signal = AbortSignal.any([init.signal ?? [], this.#cut.signal].flat())
    // Small pages, so that a walk has several.
    const request = new Request(url.replace('limit=1000', 'limit=3'), { ...init, signal })
    const response = await this.#answer(request)
    const { body, status, headers } = response
    return new Response(body && this.#through(body, signal), { status, headers })
  }

  #through(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    signal.addEventListener('abort', () => reader.cancel())
    return new ReadableStream({
      pull: async (controller) => {
        const { value, done } = await reader.read()
        if (signal.aborted) return controller.error(signal.reason)
        if (done) return controller.close()
        if (value.length <= this.#budget) {
          this.#budget -= value.length
          return controller.enqueue(value)
        }
        controller.enqueue(value.subarray(0, this.#budget))
        this.#budget = Number.POSITIVE_INFINITY
        controller.error(new TypeError('cut'))
        await reader.cancel()
      },
      cancel: () => reader.cancel(),
    })
  }

  #started() {
    return toFetch(
      createWorld({ ...DESCRIPTION, store: this.store, publicUrl: ORIGIN, extensions: [changes()] }),
    )
  }
}

const type = fc.constantFrom('sol:moon', 'sol:star')
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const events = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ put: fc.array(fc.tuple(type, id, fc.nat(3)), { maxLength: 8 }) }) },
    { weight: 3, arbitrary: fc.record({ remove: fc.tuple(type, id) }) },
    { weight: 1, arbitrary: fc.record({ breakAfter: fc.nat(800) }) },
    { weight: 1, arbitrary: fc.constant({ restart: true }) },
    { weight: 4, arbitrary: fc.constant({ pause: true }) },
  ),
  { maxLength: 25 },
)
type Event = (typeof events)['generate'] extends (...args: never[]) => { value: (infer E)[] } ? E : never

async function happen(world: BreakingWorld, event: Event): Promise<void> {
  const { store } = world
  if ('put' in event) {
    const puts = event.put.map(([type, id, n]) => ({ put: { type, id, attributes: { n } } }))
    if (puts.length > 0) await store.write(puts)
  } else if ('remove' in event) {
    const [type, id] = event.remove
    await store.write([{ delete: { type, id } }])
  } else if ('breakAfter' in event) world.breakAfter(event.breakAfter)
  else if ('restart' in event) world.restart()
  else await new Promise((resolve) => setTimeout(resolve, 15))
}

/** State of a world as seen by a follower. */
class Seen {
  readonly state = new Map<string, string>()
  readonly #given = new Set<string>()

  take(change: Change): void {
    const { type, id, position, next } = change
    assert.ok(!this.#given.has(next), `${next} came twice`)
    this.#given.add(next)
    assert.ok(!this.#given.has(`${type} ${id} ${position}`), 'a change came twice')
    this.#given.add(`${type} ${id} ${position}`)
    if (change.op !== 'put') this.state.delete(`${type} ${id}`)
    else {
      assert.equal(change.entity?.revision, change.revision)
      this.state.set(`${type} ${id}`, change.revision)
    }
  }
}

/** Returns the stored revisions of entities of these types, in the same form as `Seen`. */
async function stateOf({ store }: BreakingWorld, types: readonly string[]): Promise<Map<string, string>> {
  const state = new Map<string, string>()
  for (const type of types) {
    const { entities } = await store.list(type, { limit: 100 })
    for (const { id, revision } of entities) state.set(`${type} ${id}`, revision)
  }
  return state
}

const LAST = { put: { type: 'sol:moon', id: 'last', attributes: {} } }

test('a follower reaches the state of the world and receives each change once despite failures', async () => {
  const history = fc.record({
    before: events,
    during: events,
    types: fc.constantFrom(undefined, ['sol:moon'], ['sol:moon', 'sol:star']),
    /** Number of changes after which the follower stops, to resume later. */
    stopAfter: fc.nat(12),
  })
  const run = async ({
    before,
    during,
    types,
    stopAfter,
  }: typeof history extends fc.Arbitrary<infer H> ? H : never) => {
    const broken = new BreakingWorld()
    for (const event of before) await happen(broken, event)
    const world = await connect(ORIGIN, { fetch: broken.fetch, retries: 10 })
    const seen = new Seen()
    let since: string | undefined
    let isOver = false
    const follow = async (max: number) => {
      const ending = AbortSignal.timeout(60_000)
      for await (const change of world.changes({ since, types, entities: true, signal: ending })) {
        seen.take(change)
        since = change.next
        isOver = change.id === 'last'
        if (isOver || --max === 0) return
      }
    }
    const following = follow(stopAfter).then(() => (isOver ? undefined : follow(Number.POSITIVE_INFINITY)))
    const writing = (async () => {
      for (const event of during) await happen(broken, event)
      broken.restart()
      await broken.store.write([LAST])
    })()
    await Promise.all([following, writing])
    assert.deepEqual(seen.state, await stateOf(broken, types ?? ['sol:moon', 'sol:star']))
    await broken.store.close()
  }
  // The runs are concurrent because they spend most of their time in pauses.
  await Promise.all(fc.sample(history, { numRuns: 40, seed: 7 }).map(run))
})

test('an offset from another history fails with changes_expired', async () => {
  const first = new BreakingWorld()
  await first.store.write([LAST])
  const world = await connect(ORIGIN, { fetch: first.fetch })
  const loop = world.changes()
  const { value } = await loop.next()
  const second = new BreakingWorld()
  const other = await connect(ORIGIN, { fetch: second.fetch })
  await assert.rejects(other.changes({ since: value?.next }).next(), (error) => {
    assert.ok(isWorldError(error))
    assert.deepEqual([error.status, error.code], [410, 'changes_expired'])
    assert.equal(typeof error.details['earliest'], 'string')
    return true
  })
  await loop.return()
})
