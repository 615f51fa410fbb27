/**
 * Kills the primary or a worker of a served world while eight clients call an action that increments a counter. A client
 * repeats a call, with its idempotency key, until it succeeds. Every call must take effect exactly once, and repeating it
 * afterwards must return the same answer.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '@worldwright/engines'
import { createToken } from '@worldwright/extensions/operator'
import { type Effort, type Finding, finding } from './fault.ts'
import { Random } from './fuzz/random.ts'
import { type Part, type ServedWorld, serveWorld } from './served-world.ts'

const CLIENTS = 8
const SEED = 1
/** Retry delay, in milliseconds. */
const AGAIN_MS = 20
/** Deadline for one answer, in milliseconds. Longer than the time limit of the action. */
const ANSWER_MS = 5_000
/** Maximum delay before a kill, in milliseconds. */
const KILL_MS = 1_000

const DEFINITION = `id: urn:example:calls
operator: true
types:
  - type: chaos:call
  - type: chaos:counter
`

/** Action whose calls all change one counter. A call that takes effect twice leaves two entities. */
const ACTION = `export default {
  name: 'chaos:count',
  safe: false,
  timeoutMs: 1000,
  inputSchema: { type: 'object', required: ['call'], properties: { call: { type: 'string' } } },
  outputSchema: { type: 'string' },
  async handler({ call }, { get, put }) {
    const before = await get('chaos:counter', 'calls')
    const count = (before?.attributes.count ?? 0) + 1
    const id = call + '-' + count
    await put('chaos:call', id, { attributes: { count } })
    await put('chaos:counter', 'calls', { attributes: { count } })
    return id
  },
}
`

/** Runs the fault with 10,000 calls, or 200 in a short run. */
export async function killCalls({ short }: Effort): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'world-calls-'))
  try {
    writeFileSync(join(folder, 'world.yaml'), DEFINITION)
    mkdirSync(join(folder, 'actions'))
    writeFileSync(join(folder, 'actions', 'count.mjs'), ACTION)
    return await run(join(folder, 'world.db'), short ? 200 : 10_000)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(path: string, calls: number): Promise<Finding> {
  const random = new Random(SEED)
  const token = await callToken(path)
  let world = await serveWorld(path)
  const { port } = world
  const answers = new Map<string, string>()
  const statuses = new Map<string, number>()
  let [next, isOver, kills] = [0, false, 0]

  /** Repeats the call until its status is 200, and returns the body. Counts all other outcomes. */
  async function answered(call: string): Promise<string> {
    for (;;) {
      const { status, body } = await countOnce(world, token, call)
      if (status === 200) return body
      statuses.set(`${status}`, (statuses.get(`${status}`) ?? 0) + 1)
      if (isOver || isFinal(status)) throw new Error(`${call} failed: ${status} ${body}`)
      await pause(AGAIN_MS)
    }
  }
  const client = async () => {
    while (next < calls) {
      const call = `c${next++}`
      answers.set(call, await answered(call))
    }
  }
  const began = performance.now()
  const clients = Array.from({ length: CLIENTS }, client)
  const finished = Promise.all(clients).then(() => true)
  try {
    while (!(await Promise.race([finished, pause(random.below(KILL_MS), false)]))) {
      const part: Part = random.isIn(0.5) ? 'primary' : 'worker'
      const pids = world.pids(part)
      if (pids.length === 0) continue
      process.kill(random.one(pids), 'SIGKILL')
      kills += 1
      if (part === 'worker') continue
      await world.gone()
      world = await serveWorld(path, { port })
    }
    const seconds = (performance.now() - began) / 1_000
    const repeated = [...statuses.values()].reduce((sum, count) => sum + count, 0)
    let others = 0
    for (const [call, body] of answers) if ((await answered(call)) !== body) others += 1
    await world.stop()
    return finding(
      `${calls} calls, ${kills} kills of the primary and workers, ${repeated} repetitions (${textOf(statuses)}), ${seconds.toFixed(0)} s`,
      { 'other answers to repetitions': others, ...(await mistakesIn(path, answers)) },
    )
  } finally {
    isOver = true
    await Promise.allSettled(clients)
    await world.stop()
  }
}

/** Reports whether a failure with this status is permanent, so that repeating the call is pointless. */
function isFinal(status: number | undefined): boolean {
  return status !== undefined && status < 500 && status !== 409 && status !== 429
}

/** Creates the store. Returns a token that may call actions. */
async function callToken(path: string): Promise<string> {
  const store = await openStore(`sqlite:${path}`, { role: 'writer' })
  try {
    return (await createToken(store, { scopes: ['call'] })).token
  } finally {
    await store.close()
  }
}

/** Calls the action once. The status is undefined if there was no answer. */
async function countOnce(
  { url }: ServedWorld,
  token: string,
  call: string,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  try {
    const response = await fetch(`${url}/api/world/v0/actions/${encodeURIComponent('chaos:count')}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': call,
      },
      body: JSON.stringify({ input: { call } }),
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    return { status: response.status, body: await response.text() }
  } catch {
    return { status: undefined, body: '' }
  }
}

/** Counts mistakes: the counter must equal the number of calls, and each answer must name an entity of its own. */
async function mistakesIn(
  path: string,
  answers: ReadonlyMap<string, string>,
): Promise<Record<string, number>> {
  const store = await openStore(`sqlite:${path}`, { role: 'reader' })
  try {
    const counter = JSON.parse((await store.get('chaos:counter', 'calls'))?.json ?? '{}')
    const stored = new Set<string>()
    const snapshot = await store.snapshot()
    for await (const { id } of snapshot.entities('chaos:call')) stored.add(id)
    await snapshot.close()
    const named = new Set([...answers.values()].map((body) => JSON.parse(body).output as string))
    return {
      'calls off in the counter': Math.abs(counter.attributes?.count - answers.size),
      lost: named.difference(stored).size,
      doubled: stored.difference(named).size,
      'answers shared by calls': answers.size - named.size,
    }
  } finally {
    await store.close()
  }
}

function textOf(statuses: ReadonlyMap<string, number>): string {
  return [...statuses]
    .map(([status, count]) => `${count} × ${status === 'undefined' ? 'no answer' : status}`)
    .join(', ')
}
