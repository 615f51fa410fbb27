import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query } from '@worldwright/extensions/query'
import type { QueryInput } from './index.ts'
import { HEAVY, LiveWorld, type Sol, until } from './live-world.fixture.ts'
import { failure } from './scripted-fetch.fixture.ts'

type Moons = QueryInput<Sol, 'sol:moon'>

const FAST = { interval: 0 }
const MOONS: Moons = { types: ['sol:moon'] }
const HEAVY_MOONS: Moons = { ...MOONS, where: HEAVY }

const ids = ({ entities }: { entities: { id: string }[] }) => entities.map(({ id }) => id)
const plain = ({ offset: _, ...answer }: { offset?: string }) => answer

/** Starts a live query of a world with the moons io (1), europa (2) and titan (3), and waits until it is followed. */
async function started(input: Moons, options: { interval?: number; signal?: AbortSignal } = FAST) {
  const sol = new LiveWorld()
  for (const [mass, id] of ['io', 'europa', 'titan'].entries()) await sol.moon(id, { mass: mass + 1 })
  const world = await sol.connect()
  const live = await world.live(input, options)
  await until(() => sol.streams === 1)
  return { sol, world, live }
}

test('the answer follows insertions, updates, departures and deletions', async () => {
  const input: Moons = { ...HEAVY_MOONS, sort: ['-mass'], facets: ['kind'] }
  const { sol, world, live } = await started(input)
  const given: unknown[] = []
  const end = live.subscribe(({ current }) => given.push(ids(current)))
  assert.deepEqual(ids(live.current), ['titan', 'europa'])
  const first = live.current
  await sol.moon('ganymede', { mass: 4, kind: 'ice' })
  await until(() => live.current.total === 3)
  assert.deepEqual(live.current.facets?.[0]?.buckets, [{ value: 'ice', count: 1 }])
  await sol.moon('europa', { mass: 5 })
  await until(() => ids(live.current)[0] === 'europa')
  await sol.moon('titan', { mass: 1 })
  await until(() => live.current.total === 2)
  await sol.remove('sol:moon', 'europa')
  await until(() => live.current.total === 1)
  assert.deepEqual(ids(first), ['titan', 'europa'])
  assert.deepEqual(plain(live.current), plain(await world.query(input).page()))
  end()
  const { length } = given
  assert.deepEqual(given.at(-1), ['ganymede'])
  await sol.moon('io', { mass: 9 })
  await until(() => live.current.total === 2)
  assert.equal(given.length, length)
  live.close()
  assert.equal(live.status, 'closed')
})

test('a change that cannot affect the answer sends no query', async () => {
  const { sol, live } = await started(HEAVY_MOONS)
  const { queries } = sol
  await sol.moon('io', { mass: 0.5 })
  await sol.moon('amalthea', { mass: 0.1 })
  await sol.remove('sol:moon', 'io')
  await sol.planet('saturn', 7)
  await sol.moon('rhea', { mass: 4 })
  await until(() => live.current.total === 3)
  // Only for the new moon: the others do not match and did not match.
  assert.equal(sol.queries, queries + 1)
  assert.deepEqual(sol.followed['types'], 'sol:moon')
  assert.deepEqual(JSON.parse(sol.followed['where'] ?? ''), HEAVY)
  live.close()
})

test('a departure outside the page updates the total', async () => {
  const { sol, live } = await started({ ...HEAVY_MOONS, limit: 1 })
  assert.deepEqual(ids(live.current), ['europa'])
  await sol.moon('titan', { mass: 0.5 })
  await until(() => live.current.total === 1)
  await sol.moon('titan', { mass: 3 })
  await until(() => live.current.total === 2)
  await sol.remove('sol:moon', 'titan')
  await until(() => live.current.total === 1)
  live.close()
})

test('changes during a request are compared with its answer', async () => {
  const { sol, live } = await started(HEAVY_MOONS)
  const { queries } = sol
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const { answer } = sol
  // The answer is computed before the moon leaves, and arrives after that.
  sol.answer = async (request) => {
    const response = await answer(request)
    if (sol.queries === queries + 1 && `${sol.last}`.includes('query')) await held
    return response
  }
  await sol.moon('rhea', { mass: 4 })
  await until(() => sol.queries === queries + 1)
  await sol.moon('rhea', { mass: 0.5 })
  // This one matches neither before nor after.
  await sol.moon('io', { mass: 0.5 })
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(sol.queries, queries + 1)
  release()
  await until(() => sol.queries === queries + 2 && live.current.total === 2)
  live.close()
})

test('many changes send few queries', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const turns = async (holds: () => boolean) => {
    for (let turns = 0; turns < 2_000 && !holds(); turns++)
      await new Promise((resolve) => setImmediate(resolve))
    return holds()
  }
  const sol = new LiveWorld()
  const world = await sol.connect()
  const live = await world.live({ ...HEAVY_MOONS, limit: 200 })
  assert.ok(await turns(() => sol.streams === 1))
  t.mock.timers.tick(250)
  await sol.moon('first', { mass: 2 })
  assert.ok(await turns(() => live.current.total === 1))
  const { queries } = sol
  for (let mass = 2; mass < 52; mass++) {
    await sol.moon(`moon-${mass}`, { mass })
    if (mass % 25 === 0) await turns(() => false)
  }
  t.mock.timers.tick(249)
  assert.ok(!(await turns(() => sol.queries > queries)))
  t.mock.timers.tick(1)
  assert.ok(await turns(() => live.current.total === 51))
  t.mock.timers.tick(250)
  assert.ok(!(await turns(() => sol.queries > queries + 2)))
  live.close()
})

test('a query that depends on other entities follows all of them', async () => {
  const nested: Moons = { ...MOONS, sort: ['-orbit.days'] }
  const foreign: Moons[] = [
    { ...MOONS, text: 'io' },
    { ...MOONS, include: ['of'] },
    { ...MOONS, similar: { type: 'sol:moon', id: 'io' } },
  ]
  for (const [input, types] of [[nested, 'sol:moon'], ...foreign.map((one) => [one])] as [Moons, string?][]) {
    const { sol, live } = await started(input)
    assert.equal(sol.followed['types'], types)
    const asked = async (change: Promise<void>) => {
      const { queries } = sol
      await change
      await until(() => sol.queries > queries)
    }
    await asked(sol.moon('rhea', { mass: 4 }))
    if (types === undefined) {
      await asked(sol.planet('saturn', 7))
      await asked(sol.remove('sol:planet', 'saturn'))
    }
    live.close()
  }
})

test('without `where` or an offset, it follows all changes of the types', async () => {
  const sol = new LiveWorld()
  await sol.moon('europa', { mass: 2 })
  const world = await sol.connect()
  const { extensions } = world.document as unknown as {
    extensions: { 'worldwright:changes': { where?: boolean } }
  }
  delete extensions['worldwright:changes'].where
  sol.hidesOffset = true
  const live = await world.live(HEAVY_MOONS, FAST)
  await until(() => sol.streams === 1)
  assert.deepEqual(Object.keys(sol.followed).sort(), ['since', 'types'])
  await sol.moon('rhea', { mass: 4 })
  await until(() => live.current.total === 2)
  await sol.moon('europa', { mass: 1 })
  await until(() => live.current.total === 1)
  live.close()
})

test('if the world refuses a condition for changes, the query is followed without it', async () => {
  const sol = new LiveWorld()
  sol.before = (url) => (url.includes('where=') ? failure(414, 'uri_too_long') : undefined)
  const world = await sol.connect()
  const live = await world.live(HEAVY_MOONS, FAST)
  await until(() => sol.streams === 1)
  await sol.moon('rhea', { mass: 4 })
  await until(() => live.current.total === 1)
  assert.equal(sol.followed['where'], undefined)
  live.close()
})

test('a refused query and a world without changes reject', async () => {
  const { sol, world, live } = await started(MOONS)
  live.close()
  await assert.rejects(world.live({ where: { op: '>', args: [{ property: 'type' }, 1] } } as never), {
    code: 'invalid_input',
  })
  await assert.rejects(world.live(7 as never), { code: 'invalid_argument' })
  await assert.rejects(world.live(MOONS, { signal: AbortSignal.abort('enough') }), {
    code: 'aborted',
    cause: 'enough',
  })
  sol.extensions = [query()]
  sol.restart()
  const { queries } = sol
  await assert.rejects((await sol.connect()).live(MOONS), {
    code: 'unsupported_extension',
    details: { extension: 'worldwright:changes' },
  })
  assert.equal(sol.queries, queries)
})

test('temporary failures are reported and retried, and others end the live query', async () => {
  const { sol, live } = await started(HEAVY_MOONS)
  const states: unknown[] = []
  live.subscribe(({ status, error }) => states.push([status, error?.code]))
  sol.before = (url) => url.includes('query') && failure(503, 'unavailable', { 'retry-after': '0' })
  await sol.moon('rhea', { mass: 4 })
  await until(() => states.length > 0)
  assert.deepEqual(states[0], ['retrying', 'unavailable'])
  assert.equal(live.current.total, 2)
  sol.before = () => {}
  await until(() => live.status === 'live')
  assert.deepEqual([live.current.total, live.error], [3, undefined])
  sol.before = () => failure(403, 'forbidden')
  const loop = (async () => {
    for await (const _ of live);
  })()
  await sol.moon('dione', { mass: 4 })
  await assert.rejects(loop, { code: 'forbidden' })
  assert.deepEqual([live.status, live.error?.code, live.current.total], ['failed', 'forbidden', 3])
})

test('a repeated query names the last position, unless the world has another history', async () => {
  const { sol, live } = await started(HEAVY_MOONS)
  const positions: unknown[] = []
  sol.before = (url, headers) => {
    if (!url.includes('query')) return
    positions.push(headers.get('worldwright-after'))
    return positions.length === 1 && failure(400, 'invalid_parameter')
  }
  await sol.moon('rhea', { mass: 4 })
  await until(() => live.current.total === 3)
  assert.deepEqual(
    positions.map((one) => typeof one === 'string'),
    [true, false],
  )
  assert.equal(live.status, 'live')
  await sol.moon('dione', { mass: 4 })
  await until(() => live.current.total === 4)
  const { position } = await sol.store.changes({ limit: 1_000 })
  assert.equal(positions.at(-1), position)
  live.close()
})

test('a loop yields the latest answer only, and closes the query when it is left', async () => {
  const { sol, live } = await started({ ...HEAVY_MOONS, limit: 0 })
  const totals: number[] = []
  for await (const { total } of live) {
    totals.push(total)
    if (total === 5) break
    for (const mass of [3, 4, 5].slice(0, 5 - total)) {
      await sol.moon(`moon-${mass}`, { mass })
      await until(() => live.current.total > total)
    }
    await until(() => live.current.total === 5)
  }
  assert.deepEqual(totals, [2, 5])
  assert.equal(live.status, 'closed')
})

test('the signal and `close` end a live query', async () => {
  const ending = new AbortController()
  const { sol, live } = await started(MOONS, { signal: ending.signal })
  const loop = Array.fromAsync(live)
  ending.abort()
  assert.equal((await loop).length, 1)
  assert.deepEqual([live.status, live.error], ['closed', undefined])
  await until(() => sol.streams === 0)
})

test('the compiler knows the entities of a live query', async () => {
  const { world, live } = await started(MOONS)
  const mass: number | undefined = live.current.entities[0]?.attributes.mass
  assert.equal(mass, 2)
  live.close()
  const moons = await world.live({ types: ['sol:moon'], sort: ['mass'] })
  moons.close()
  // @ts-expect-error: moons have no rings
  moons.current.entities[0]?.attributes.rings
  // @ts-expect-error: no such property
  await assert.rejects(world.live({ types: ['sol:moon'], sort: ['color'] }), { code: 'invalid_input' })
})
