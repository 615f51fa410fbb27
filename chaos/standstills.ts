/**
 * Stops each process of a served world with SIGSTOP, for a while or forever, under writers. Every request must be answered
 * in bounded time, workers and the searcher must be replaced, and no write may be lost or reappear after a later one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '@worldwright/client'
import { type Ask, LIST } from './asks.ts'
import { Clients } from './clients.ts'
import { type Effort, type Finding, finding } from './fault.ts'
import { pidsOf } from './processes.ts'
import { type Part, type ServedWorld, serveWorld, TYPE, waitedFor, writeToken } from './served-world.ts'

const WRITERS = 8
/** Recovery deadline, in milliseconds. A stopped worker is killed after three missed heartbeats, five seconds apart. */
const HEALED_MS = 30_000
/** Maximum wait for a response, in milliseconds. The primary is stopped for 20 s, and a stopped worker is killed by then. */
const DEADLINE_MS = 22_000

/** Runs the fault for 20 s and forever. In a short run, stops last 4 s and only the primary is stopped forever. */
export async function standstills({ short }: Effort): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'world-standstills-'))
  const trial = new Trial(join(folder, 'world.db'), await writeToken(join(folder, 'world.db')))
  try {
    return await trial.run(short)
  } finally {
    await trial.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writer of one entity, whose title is the number of its writes. */
interface Writer {
  readonly id: string
  attempted: number
  acknowledged: number
}

class Trial {
  readonly #store: string
  readonly #token: string
  readonly #writers: Writer[] = Array.from({ length: WRITERS }, (_, at) => ({
    id: `w${at}`,
    attempted: 0,
    acknowledged: 0,
  }))
  readonly #mistakes = {
    'acknowledged writes lost': 0,
    'writes that came after a later one': 0,
    'reads that failed': 0,
    'answers beyond their deadline': 0,
    'refusals of another kind': 0,
    'not healed': 0,
    'followers that failed': 0,
  }
  /** Aborts the follower, which would otherwise wait forever for a world that has ended. */
  readonly #following = new AbortController()
  #world: ServedWorld | undefined
  #isOver = false
  #longest = 0
  #undecided = 0
  #refused = 0

  constructor(store: string, token: string) {
    this.#store = store
    this.#token = token
  }

  async run(short: boolean): Promise<Finding> {
    let world = await this.#serve(0)
    const { port } = world
    const writing = this.#writers.map((writer) => this.#write(port, writer))
    const followed = this.#follow(world.url)
    await this.#search(world)
    const seconds = short ? 4 : 20
    for (const part of ['worker', 'searcher', 'primary'] as const) {
      await this.#stopFor(world, part, seconds)
      if (!(await this.#isWell(world))) this.#mistakes['not healed'] += 1
    }
    for (const part of short ? [] : (['worker', 'searcher'] as const)) {
      const [pid] = world.pids(part)
      if (pid === undefined) throw new Error(`There is no ${part} to stop`)
      signalled(pid, 'SIGSTOP')
      if (part === 'searcher') await this.#search(world)
      const isReplaced = () => !world.pids(part).includes(pid)
      if ((await waitedFor(isReplaced, HEALED_MS)) === undefined || !(await this.#isWell(world)))
        this.#mistakes['not healed'] += 1
    }
    // The primary is stopped until it is killed.
    await this.#stopFor(world, 'primary', 20, 'SIGKILL')
    await world.gone()
    this.#following.abort()
    await followed
    world = await this.#serve(port)
    if (!(await this.#isWell(world))) this.#mistakes['not healed'] += 1
    this.#isOver = true
    await Promise.all(writing)
    for (const { id, attempted, acknowledged } of this.#writers) {
      const number = await this.#numberOf(world, id)
      if (number < acknowledged || number > attempted) this.#mistakes['acknowledged writes lost'] += 1
    }
    const written = this.#writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
    return finding(
      `each process stopped for ${seconds} s${short ? '' : ' and forever'}, the primary until it was killed; ${written} writes, ${this.#refused} refused, ${this.#undecided} undecided, the longest ${this.#longest.toFixed(0)} ms`,
      this.#mistakes,
    )
  }

  async end(): Promise<void> {
    this.#isOver = true
    this.#following.abort()
    // A process that is still stopped would never end.
    for (const pid of this.#world ? pidsOf(this.#world) : []) signalled(pid, 'SIGCONT')
    await this.#world?.stop()
  }

  async #serve(port: number): Promise<ServedWorld> {
    const world = await serveWorld(this.#store, { port })
    this.#world = world
    const isReady = () => world.said().includes('Workers ready')
    if ((await waitedFor(isReady, 60_000)) === undefined) throw new Error(world.said())
    return world
  }

  /** Stops one process of a kind for some seconds. Reads must not fail during this time. */
  async #stopFor(world: ServedWorld, part: Part, seconds: number, end: NodeJS.Signals = 'SIGCONT') {
    const [pid] = world.pids(part)
    if (pid === undefined) throw new Error(`There is no ${part} to stop`)
    signalled(pid, 'SIGSTOP')
    for (const until = performance.now() + seconds * 1_000; performance.now() < until; await pause(100)) {
      const { status } = await new Clients(world.port, '127.0.0.2', 0).ask({ path: `${LIST}?limit=1` })
      if (status !== 200) this.#mistakes['reads that failed'] += 1
    }
    signalled(pid, end)
  }

  async #isWell(world: ServedWorld): Promise<boolean> {
    const isWell = async () => (await this.#search(world)) === 200 && world.pids('worker').length === 2
    return (await waitedFor(isWell, HEALED_MS)) !== undefined
  }

  async #search({ port }: ServedWorld): Promise<number> {
    const began = performance.now()
    const { status } = await new Clients(port, '127.0.0.2', 0).ask(SEARCH)
    this.#note(performance.now() - began)
    return status
  }

  async #write(port: number, writer: Writer): Promise<void> {
    for (; !this.#isOver; await pause(50)) {
      const number = ++writer.attempted
      const { status, body, ms } = await put(port, this.#token, writer.id, number)
      this.#note(ms)
      if (status === 201 || status === 200) writer.acknowledged = number
      // There is no response if the worker or the primary was killed.
      else if (status === undefined || body.includes('"undecided"')) this.#undecided += 1
      else if (status === 503) this.#refused += 1
      else this.#mistakes['refusals of another kind'] += 1
    }
  }

  #note(ms: number): void {
    this.#longest = Math.max(this.#longest, ms)
    if (ms > DEADLINE_MS) this.#mistakes['answers beyond their deadline'] += 1
  }

  /** Follows all changes in order and checks that the write numbers of an entity never decrease. */
  async #follow(url: string): Promise<void> {
    const { signal } = this.#following
    const last = new Map<string, number>()
    try {
      const world = await connect(url)
      for await (const change of world.changes({ entities: true, signal })) {
        if (change.op !== 'put') continue
        const number = Number(change.entity?.title ?? 0)
        if (number < (last.get(change.id) ?? 0)) this.#mistakes['writes that came after a later one'] += 1
        last.set(change.id, number)
      }
    } catch {
      if (!signal.aborted) this.#mistakes['followers that failed'] += 1
    }
  }

  async #numberOf({ url }: ServedWorld, id: string): Promise<number> {
    const { title } = (await (await fetch(`${url}${LIST}/${id}`)).json()) as { title?: string }
    return Number(title ?? -1)
  }
}

/** Sends a signal to a process. Does nothing if the process no longer exists. */
function signalled(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const SEARCH: Ask = {
  path: `/api/world/v0/actions/${encodeURIComponent('wp:discover')}`,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ input: { text: 'w1', limit: 1 } }),
}

/** Puts a thing, with a timeout longer than any response may take. */
async function put(port: number, token: string, id: string, number: number) {
  const began = performance.now()
  try {
    const path = `/api/operator/v0/entities/${encodeURIComponent(TYPE)}/${id}`
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: `${number}`, attributes: {} }),
      signal: AbortSignal.timeout(60_000),
    })
    return { status: response.status, body: await response.text(), ms: performance.now() - began }
  } catch {
    return { status: undefined, body: '', ms: performance.now() - began }
  }
}
