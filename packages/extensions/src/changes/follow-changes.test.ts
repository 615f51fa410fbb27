import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { behindPromises } from '../../../core/src/store/behind-promises.fixture.ts'
import type { Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { positionNow } from '../../../core/src/store/positions.ts'
import { CHANGES, worldOver } from './changes.fixture.ts'
import { eventsIn } from './event-reader.fixture.ts'

type World = ReturnType<typeof worldOver>

/** Change with the members that all formats share. */
interface SeenChange {
  readonly op: 'put' | 'delete'
  readonly type: string
  readonly id: string
  readonly next: string
  readonly entity?: unknown
}

/** Progress of the follower between changes. */
interface SeenState {
  readonly next: string
  readonly more: boolean
  readonly position: string
}

/** Reads the changes in one format. Yields changes, and the states between them. */
type Form = (world: World, since: string) => AsyncGenerator<SeenChange | SeenState>

const FORMS: Record<string, Form> = {
  async *pages(world, since) {
    for (let next = since; ; ) {
      const { changes, ...state } = await world.asked(`limit=3&entities=true${next}`)
      yield* changes
      yield state
      next = `&since=${state.next}`
    }
  },
  async *lines(world, since) {
    for (let next = since; ; ) {
      const accept = { accept: 'application/x-ndjson' }
      const { pieces } = await world.opened(`${CHANGES}?entities=true${next}`, accept)
      let text = ''
      for await (const piece of pieces) text += piece
      const lines = text.trimEnd().split('\n')
      for (const line of lines) yield JSON.parse(line)
      next = `&since=${JSON.parse(lines.at(-1) ?? '').next}`
    }
  },
  async *events(world, since) {
    const accept = { accept: 'text/event-stream' }
    const { pieces } = await world.opened(`${CHANGES}?entities=true${since}`, accept)
    for await (const { data } of eventsIn(pieces)) yield data
  },
}

/** Mirror of a world, updated from the world's changes. It can be interrupted after any change. */
class Follower {
  readonly content = new Map<string, string>()
  #since = ''

  /** Follows the world in one format until the mirror has caught up or has read `most` changes. */
  async follow(world: World, form: keyof typeof FORMS, most = Number.POSITIVE_INFINITY): Promise<void> {
    let count = 0
    const seen = (FORMS[form] ?? assert.fail())(world, this.#since)
    for await (const one of seen) {
      this.#since = `&since=${one.next}`
      if ('op' in one) this.#apply(one)
      if ('op' in one ? ++count >= most : !one.more && one.position === (await positionNow(world.store)))
        break
    }
  }

  #apply({ op, type, id, entity }: SeenChange): void {
    if (op === 'put') this.content.set(`${type} ${id}`, JSON.stringify(entity))
    else this.content.delete(`${type} ${id}`)
  }
}

async function contentOf(store: Store): Promise<Map<string, string>> {
  const content = new Map<string, string>()
  const snapshot = await store.snapshot()
  for await (const { type, id, json } of snapshot.entities()) content.set(`${type} ${id}`, json)
  await snapshot.close()
  return content
}

const type = fc.constantFrom('sol:moon', 'sol:planet')
const id = fc.constantFrom('a', 'b', 'c', 'd', '火', '\u{1f680}')
const title = fc.constantFrom('one', 'two', 'three')
const entity = fc.record({ type, id, title })
const step = fc.oneof(
  fc.record({ put: fc.array(entity, { minLength: 1, maxLength: 4 }) }),
  fc.record({ delete: fc.record({ type, id }) }),
  fc.record({ import: fc.array(entity, { maxLength: 8 }), replace: fc.constantFrom([], ['sol:moon']) }),
  fc.record({ read: fc.constantFrom(...Object.keys(FORMS)), most: fc.integer({ min: 1, max: 5 }) }),
)

async function happens(
  one: typeof step extends fc.Arbitrary<infer T> ? T : never,
  world: World,
  follower: Follower,
) {
  const { store } = world
  if ('put' in one) await store.write(one.put.map((entity) => ({ put: { ...entity, attributes: {} } })))
  else if ('delete' in one) await store.write([{ delete: one.delete }])
  else if ('read' in one) await follower.follow(world, one.read, one.most)
  else {
    const staged = await store.bulk()
    await staged.add(one.import.map((entity) => ({ ...entity, attributes: {} })))
    await staged.commit({ replace: one.replace })
  }
}

test('an interrupted follower that switches formats ends up with the content of its world', async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 30 })
  const last = fc.constantFrom(...Object.keys(FORMS))
  await fc.assert(
    fc.asyncProperty(steps, last, fc.boolean(), async (steps, last, waits) => {
      const memory = createMemoryStore()
      const world = worldOver(waits ? behindPromises(memory) : memory)
      const follower = new Follower()
      for (const one of steps) await happens(one, world, follower)
      await follower.follow(world, last)
      assert.deepEqual(follower.content, await contentOf(world.store))
    }),
    { numRuns: 150 },
  )
})

test('concurrent followers in one process end up with the content of their world', async () => {
  const world = worldOver(createMemoryStore())
  const end = { type: 'sol:planet', id: 'end' }
  const follow = async () => {
    const content = new Map<string, string>()
    const once: string[] = []
    const { pieces } = await world.opened(`${CHANGES}?entities=true`, { accept: 'text/event-stream' })
    for await (const { event, data } of eventsIn(pieces)) {
      if (event !== 'change') continue
      if (data.id.startsWith('once')) once.push(data.id)
      if (data.op === 'put') content.set(`${data.type} ${data.id}`, JSON.stringify(data.entity))
      else content.delete(`${data.type} ${data.id}`)
      if (data.id === end.id) return { content, once }
    }
    return assert.fail('the stream ended')
  }
  const followers: ReturnType<typeof follow>[] = []
  const unused = new Follower()
  const steps = fc.sample(step, { numRuns: 300, seed: 7 })
  const ids = steps.map((_, index) => `once-${index}`)
  for (const [index, one] of steps.entries()) {
    // New followers start while others follow and the world is written.
    if (index % 15 === 0) followers.push(follow())
    await world.put('planet', ids[index] ?? '')
    if (!('read' in one)) await happens(one, world, unused)
    await new Promise((resume) => setImmediate(resume))
  }
  await world.store.write([{ put: { ...end, attributes: {} } }])
  const content = await contentOf(world.store)
  for (const followed of await Promise.all(followers)) {
    assert.deepEqual(followed.content, content)
    assert.deepEqual(followed.once, ids)
  }
})
