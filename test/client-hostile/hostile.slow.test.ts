import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { answer, type Listening, listen } from './hostile-world.ts'
import { type Outcome, TIMEOUT, TOKEN } from './probe.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'

/** Number of concurrent scenarios. */
const PROBES = 3
/** Time by which a call may exceed its timeout on a loaded machine, in milliseconds. */
const SLACK = 3000
/** Maximum duration of a walk, in milliseconds. A walk consists of many calls, each with a timeout. */
const WALK = 20_000
/** Maximum peak memory of a process, in bytes, above its memory before the first call. */
const MOST_BYTES = 32 * 2 ** 20
/** The same maximum for reusing a process: whatever it has taken would count against the next scenario. */
const MOST_BYTES_AGAIN = 16 * 2 ** 20

/** Idle processes that can be reused for another call. */
const free: ChildProcess[] = []
after(() => {
  for (const probe of free) probe.kill()
})

test('there are at least 150 hostile worlds, each of its own kind', () => {
  assert.ok(SCENARIOS.length >= 150, `${SCENARIOS.length}`)
  assert.equal(new Set(SCENARIOS.map(({ name }) => name)).size, SCENARIOS.length)
})

test('hostile worlds', { concurrency: PROBES }, async (t) => {
  await Promise.all(SCENARIOS.map((scenario) => t.test(scenario.name, () => judge(scenario))))
})

/** Runs a scenario and checks the outcome, the duration and the memory of the call, and where the token was sent. */
async function judge(scenario: Scenario): Promise<void> {
  const foreign = await listen((socket) => answer(socket, 200, '{"id":"taken"}'))
  const world = await listen(scenario.reply, foreign.place.origin)
  const outcome = await told(world, scenario)
  const strange = foreign.heard()
  await Promise.all([world.close(), foreign.close()])
  assert.ok([scenario.expect].flat().includes(outcome.code), `${outcome.code}\n${outcome.text}`)
  assert.ok(!outcome.text.includes(TOKEN), 'the error repeats the token')
  assert.ok(!strange.includes(TOKEN), 'the token came to another origin')
  if (scenario.guard) assert.equal(strange, '', 'a refused address was reached')
  assert.ok(outcome.ms < (scenario.op === 'walk' ? WALK : TIMEOUT + SLACK), `${outcome.ms} ms`)
  const { mostBytes = MOST_BYTES } = scenario
  assert.ok(outcome.bytes <= mostBytes, `${outcome.bytes} bytes`)
}

/** Makes the call in an idle or a new process. Uses a new one for large answers, so that its memory can be measured. */
async function told({ place }: Listening, { op, guard, large }: Scenario): Promise<Outcome> {
  const execArgv = ['--expose-gc', '--conditions=@worldwright/source']
  const used = large ? undefined : free.pop()
  const probe = used ?? fork(fileURLToPath(new URL('./probe.ts', import.meta.url)), { execArgv })
  let again = false
  try {
    probe.send({ origin: place.origin, op, ...(guard ? { guardPort: place.port } : {}) })
    const [outcome] = await once(probe, 'message')
    again = !large && outcome.bytes <= MOST_BYTES_AGAIN
    return outcome
  } finally {
    if (again) free.push(probe)
    else probe.kill()
  }
}
