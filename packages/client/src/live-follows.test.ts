import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { rounds } from '../../../test/rounds.ts'
import type { Entity, Live, QueryInput } from './index.ts'
import { HEAVY, LiveWorld, type Sol, until } from './live-world.fixture.ts'

type Moons = QueryInput<Sol, 'sol:moon'>

const MOONS: Moons = { types: ['sol:moon'] }
const HEAVY_MOONS: Moons = { ...MOONS, where: HEAVY }

const isHeavy = ({ type, attributes }: Entity) => type === 'sol:moon' && Number(attributes['mass']) > 1
const isMoon = ({ type }: Entity) => type === 'sol:moon'

/** Queries, with the entities that match them. */
const QUERIES: [QueryInput<Sol>, (entity: Entity) => boolean][] = [
  [HEAVY_MOONS as QueryInput<Sol>, isHeavy],
  [{ ...HEAVY_MOONS, sort: ['-mass'], limit: 2, facets: ['kind'] } as QueryInput<Sol>, isHeavy],
  [{ ...HEAVY_MOONS, limit: 0, facets: [{ property: 'mass', histogram: 2 }] } as QueryInput<Sol>, isHeavy],
  [{ ...MOONS, sort: ['orbit.days'], limit: 3, fields: ['kind'] } as QueryInput<Sol>, isMoon],
  [{ ...MOONS, text: 'ice', limit: 3 } as QueryInput<Sol>, ({ attributes }) => attributes['kind'] === 'ice'],
  [{ ...HEAVY_MOONS, include: ['of'] } as QueryInput<Sol>, isHeavy],
  [
    {
      ...MOONS,
      where: { op: '>', args: [{ property: 'of.rings' }, 1] },
      sort: ['-of.rings'],
    } as QueryInput<Sol>,
    isMoon,
  ],
  [{}, () => true],
]

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const moon = fc.record(
  {
    mass: fc.nat(4),
    kind: fc.constantFrom('ice', 'rock'),
    orbit: fc.record({ days: fc.nat(3) }),
    of: id.map((id) => ({ type: 'sol:planet', id })),
  },
  { requiredKeys: ['kind'] },
)
const events = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ moon: fc.tuple(id, moon) }) },
    { weight: 2, arbitrary: fc.record({ planet: fc.tuple(id, fc.nat(3)) }) },
    { weight: 3, arbitrary: fc.record({ remove: fc.tuple(fc.constantFrom('sol:moon', 'sol:planet'), id) }) },
    { weight: 4, arbitrary: fc.constant({ pause: true }) },
    { weight: 1, arbitrary: fc.constantFrom('breakAll', 'restart', 'move', 'restore') },
  ),
  { minLength: 5, maxLength: 40 },
)
type Event = (typeof events)['generate'] extends (...args: never[]) => { value: (infer E)[] } ? E : never

async function happen(sol: LiveWorld, event: Event): Promise<void> {
  if (typeof event === 'string') await sol[event as 'restart']()
  else if ('moon' in event) await sol.moon(...event.moon)
  else if ('planet' in event) await sol.planet(...event.planet)
  else if ('remove' in event) await sol.remove(...event.remove)
  else await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Fails the test if an answer contains an entity that does not match, or one twice. */
function verify({ current }: Live, matches: (entity: Entity) => boolean): void {
  assert.ok(current.entities.every(matches), JSON.stringify(current.entities))
  assert.equal(new Set(current.entities.map(({ type, id }) => `${type} ${id}`)).size, current.entities.length)
  assert.ok(current.total >= current.entities.length)
}

test('once the world is at rest, live answers equal its answers, despite failures', async () => {
  const run = async ([before, during]: [Event[], Event[]]) => {
    const sol = new LiveWorld()
    for (const event of before) await happen(sol, event)
    const world = await sol.connect()
    const followed = await Promise.all(
      QUERIES.map(async ([input, matches]) => {
        const live = (await world.live(input, { interval: 3 })) as unknown as Live
        const faults: unknown[] = []
        live.subscribe(() => {
          try {
            verify(live, matches)
          } catch (error) {
            faults.push(error)
          }
        })
        return { input, live, faults }
      }),
    )
    try {
      for (const event of during) await happen(sol, event)
      for (const { input, live, faults } of followed) {
        await until(async () => {
          const { offset: _, ...fresh } = await world.query(input).page()
          const { offset: __, ...current } = live.current
          if (live.status === 'failed') throw live.error
          return live.status === 'live' && isDeepStrictEqual(current, fresh)
        })
        assert.deepEqual(faults, [])
      }
    } finally {
      for (const { live } of followed) live.close()
    }
    await sol.store.close()
  }
  await Promise.all(fc.sample(fc.tuple(events, events), { numRuns: rounds(12, 100), seed: 7 }).map(run))
})

for (const event of ['breakAll', 'restart', 'move', 'restore'] as const)
  test(`a live query goes on after ${event}`, async () => {
    const sol = new LiveWorld()
    const world = await sol.connect()
    const live = await world.live(HEAVY_MOONS, { interval: 0 })
    await sol.moon('a', { mass: 2 })
    await until(() => live.current.total === 1)
    await sol[event]()
    await sol.moon('b', { mass: 2 })
    await until(() => live.current.total === 2 && live.status === 'live')
    await sol.remove('sol:moon', 'a')
    await until(() => live.current.total === 1)
    live.close()
    await sol.store.close()
  })
