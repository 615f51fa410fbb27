import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { answer, documentOf, isDiscovery, type Listening, listen } from './hostile-world.ts'
import { type Outcome, TIMEOUT, TOKEN } from './probe.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'

const PROBES = 3
/** What a machine under load may add to a call's own time (ms). */
const SLACK = 3000
/** A walk is many calls, each with its own time. */
const WALK = 20_000
const MOST_BYTES = 32 * 2 ** 20
/**
 * Memory is what the system sees, and there the runtime's garbage counts until it is collected. What a world can force
 * on a client it can force every time: one time of so many within the limit is proof that it cannot.
 */
const MEASUREMENTS = 5
/** Ordinary calls before the hostile ones: memory counts from a client at work, its code compiled and pools filled. */
const WARM_CALLS = 100

const probes: ChildProcess[] = []
const idle: ChildProcess[] = []
const waiting: ((probe: ChildProcess) => void)[] = []

before(async () => {
  const entity = (size: number) => JSON.stringify({ id: 'x', pad: 'x'.repeat(size) })
  const [small, large] = [entity(2000), entity(2 ** 23)]
  const honest = await listen((socket, request, { origin, asked }) =>
    answer(socket, 200, isDiscovery(request) ? documentOf(`${origin}/w`) : asked % 100 === 0 ? large : small),
  )
  const execArgv = ['--expose-gc', '--conditions=@worldwright/source']
  await Promise.all(
    Array.from({ length: PROBES }, async () => {
      const probe = fork(fileURLToPath(new URL('./probe.ts', import.meta.url)), { execArgv })
      probes.push(probe)
      for (let calls = 0; calls < WARM_CALLS; calls++) {
        await told(probe, honest, { op: 'get', ...(calls % 2 ? {} : { guard: true }) })
      }
      idle.push(probe)
    }),
  )
  await honest.close()
})

after(() => {
  for (const probe of probes) probe.kill()
})

async function told(
  probe: ChildProcess,
  { place }: Listening,
  { op, guard }: Pick<Scenario, 'op' | 'guard'>,
) {
  probe.send({ origin: place.origin, op, ...(guard ? { guardPort: place.port } : {}) })
  const [outcome] = (await once(probe, 'message')) as [Outcome]
  return outcome
}

async function withProbe<T>(use: (probe: ChildProcess) => Promise<T>): Promise<T> {
  const probe = idle.pop() ?? (await new Promise<ChildProcess>((resolve) => waiting.push(resolve)))
  try {
    return await use(probe)
  } finally {
    const next = waiting.shift()
    if (next) next(probe)
    else idle.push(probe)
  }
}

test('there are at least 150 hostile worlds, each of its own kind', () => {
  assert.ok(SCENARIOS.length >= 150, `${SCENARIOS.length}`)
  assert.equal(new Set(SCENARIOS.map(({ name }) => name)).size, SCENARIOS.length)
})

test('hostile worlds', { concurrency: PROBES }, async (t) => {
  const all = SCENARIOS.map((scenario) =>
    t.test(scenario.name, async () => {
      let bytes = Number.POSITIVE_INFINITY
      for (let i = 0; i < MEASUREMENTS && bytes > MOST_BYTES; i++) {
        bytes = Math.min(bytes, await judged(scenario))
      }
      assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`)
    }),
  )
  await Promise.all(all)
})

/** One call to a hostile world: everything about it must hold, and the memory it took is told. */
async function judged(scenario: Scenario): Promise<number> {
  const foreign = await listen((socket) => answer(socket, 200, '{"id":"taken"}'))
  const world = await listen(scenario.reply, foreign.place.origin)
  const outcome = await withProbe((probe) => told(probe, world, scenario))
  const strange = foreign.heard()
  await Promise.all([world.close(), foreign.close()])
  assert.ok([scenario.expect].flat().includes(outcome.code), `${outcome.code}\n${outcome.text}`)
  assert.ok(!outcome.text.includes(TOKEN), 'the error repeats the token')
  assert.ok(!strange.includes(TOKEN), 'the token came to another origin')
  if (scenario.guard) assert.equal(strange, '', 'a refused address was reached')
  assert.ok(outcome.ms < (scenario.op === 'walk' ? WALK : TIMEOUT + SLACK), `${outcome.ms} ms`)
  return outcome.bytes
}
