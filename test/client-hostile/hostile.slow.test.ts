import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { answer, type Listening, listen } from './hostile-world.ts'
import { type Outcome, TIMEOUT, TOKEN } from './probe.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'

/** Scenarios at once. */
const PROBES = 3
/** What a machine under load may add to a call's own time (ms). */
const SLACK = 3000
/** A walk is many calls, each with its own time. */
const WALK = 20_000
/** Memory of the whole process at its worst, over that before its first call. */
const MOST_BYTES = 32 * 2 ** 20
/** A process that took more makes no further call: what it holds would count against the next world. */
const MOST_BYTES_AGAIN = 16 * 2 ** 20

/** Processes that have made their calls, and may make another. */
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

/** A hostile world is met by a process that has seen no other kind: everything about the call must hold. */
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

/** Makes the call in a process that has made others, or a new one; what a large answer takes is measured in a new one. */
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
