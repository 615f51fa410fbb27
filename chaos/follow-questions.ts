/**
 * Follows conditions: each of many clients follows the changes that match one of fifty conditions, while entities are put and
 * deleted, and workers and the whole server are killed. At the end, each client's set must equal the result of a new query.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, isWorldError, type World } from '@worldwright/client'
import type { JsonObject } from '@worldwright/client/protocol'
import { openStore } from '@worldwright/engines'
import { type ReadChange, readEvents } from './event-reader.ts'
import { type Effort, type Finding, finding } from './fault.ts'
import { quantile } from './quantile.ts'
import { type ServedWorld, serveWorld, waitedFor, writeToken } from './served-world.ts'

const PER_SECOND = 200
const WRITERS = 16
const TYPES = 10
const CONDITIONS = 50
/** Entities of each type. */
const POOL = 200
/** Upper bound of masses, which are whole numbers from 0; exclusive. */
const MOST = 1_000
/** Maximum p99 of the time from the acknowledgement of a write until a client has its change, in milliseconds. */
const MAX_DELAY_MS = 150
/** Interval between kills, in milliseconds. */
const KILL_MS = 8_000
/** Time for all streams to reconnect after the last kill, in milliseconds. */
const RETURNED_MS = 5_000
/** Deadline after the last write for all sets to be complete, in milliseconds. */
const COMPLETE_MS = 30_000

/** One of the conditions, and the type of its entities. */
interface Question {
  readonly type: string
  readonly where: JsonObject
}

const QUESTIONS = Array.from({ length: CONDITIONS }, (_, at): Question => {
  const low = (at * MOST) / CONDITIONS
  const between: JsonObject = { op: 'between', args: [{ property: 'mass' }, low, low + MOST / 10] }
  return { type: typeAt(at), where: at % 4 === 3 ? { op: 'not', args: [between] } : between }
})

function typeAt(at: number): string {
  return `chaos:t${at % TYPES}`
}

/** Runs the fault with 1,000 streams for two minutes or, in a short run, with 100 for 10 seconds. */
export async function followQuestions({ short, minutes = short ? 1 / 6 : 2 }: Effort): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'world-questions-'))
  try {
    const schema = { type: 'object', properties: { mass: { type: 'number' } } }
    const types = Array.from({ length: TYPES }, (_, at) => ({ type: typeAt(at), schema }))
    writeFileSync(join(folder, 'world.yaml'), JSON.stringify({ types }))
    return await run(join(folder, 'world.db'), short ? 100 : 1_000, minutes * 60_000, short)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(store: string, streams: number, ms: number, short: boolean): Promise<Finding> {
  const token = await writeToken(store)
  await fill(store)
  const flags = ['--streams-per-address', '100000']
  const server = { world: await serveWorld(store, { flags }) }
  const { port, url } = server.world
  const times = new Times()
  const writers = new Writers(url, token, times)
  const ending = new AbortController()
  try {
    const world = await connect(url)
    const clients = await Promise.all(
      Array.from({ length: streams }, (_, at) => opened({ world, url }, at, times, ending.signal)),
    )
    const until = performance.now() + ms
    writers.start()
    let kills = 0
    const [killMs, returnedMs] = short ? [KILL_MS / 4, RETURNED_MS / 4] : [KILL_MS, RETURNED_MS]
    // Delays are measured in the last third, after all streams have reconnected.
    for (; performance.now() + killMs + ms / 3 + returnedMs < until; kills++) {
      await pause(killMs)
      if (kills % 4 === 1) server.world = await killed(server.world, () => serveWorld(store, { port, flags }))
      else process.kill(server.world.pids('worker')[0] ?? 0, 'SIGKILL')
    }
    await pause(Math.max(returnedMs, until - performance.now() - ms / 3))
    times.delays = []
    await pause(Math.max(0, until - performance.now()))
    const { delays } = times
    const written = await writers.stop()
    const differ = await differing(world, clients)
    const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)]
    return finding(
      `${streams} streams of ${CONDITIONS} conditions on ${TYPES} types, ${written} writes in ${(ms / 1_000).toFixed(0)} s, ${kills} kills; after them, ${delays.length} changes came ${p50.toFixed(0)} ms after their write, p99 ${p99.toFixed(0)} ms`,
      {
        'sets that differ from a new query': differ,
        'clients that ended': clients.filter(({ failure }) => failure() !== undefined).length,
        'runs without changes': delays.length === 0 ? 1 : 0,
        // In a short run, other work may share the machine.
        [`figures beyond ${MAX_DELAY_MS} ms`]: !short && p99 > MAX_DELAY_MS ? 1 : 0,
      },
    )
  } finally {
    ending.abort()
    await writers.stop()
    await server.world.stop()
  }
}

async function fill(file: string): Promise<void> {
  const store = await openStore(`sqlite:${file}`, { role: 'writer' })
  for (let type = 0; type < TYPES; type++)
    await store.write(
      Array.from({ length: POOL }, (_, at) => ({
        put: { type: typeAt(type), id: `t${at}`, attributes: { mass: Math.floor(Math.random() * MOST) } },
      })),
    )
  await store.close()
}

async function killed(world: ServedWorld, serve: () => Promise<ServedWorld>): Promise<ServedWorld> {
  process.kill(world.pids('primary')[0] ?? 0, 'SIGKILL')
  await world.gone()
  return serve()
}

/** Times of acknowledged writes by position, and the delays of their changes in milliseconds. */
class Times {
  delays: number[] = []
  readonly #acknowledged = new Map<string, number>()

  acknowledge(position: string): void {
    if (!this.#acknowledged.has(position)) this.#acknowledged.set(position, performance.now())
  }

  /** Records the delay of a change; 0 if the change precedes the acknowledgement of its write. */
  note(position: string): void {
    const now = performance.now()
    this.delays.push(now - (this.#acknowledged.get(position) ?? now))
  }
}

/** Writers that put and delete random entities at a steady rate. */
class Writers {
  readonly #write: () => Promise<void>
  #running: Promise<void>[] = []
  #written = 0
  #isOver = false

  constructor(url: string, token: string, times: Times) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    this.#write = async () => {
      const type = encodeURIComponent(typeAt(Math.floor(Math.random() * TYPES)))
      const isDeletion = Math.random() < 0.1
      const attributes = { mass: Math.floor(Math.random() * MOST) }
      const id = `t${Math.floor(Math.random() * POOL)}`
      const response = await fetch(`${url}/api/operator/v0/entities/${type}/${id}`, {
        method: isDeletion ? 'DELETE' : 'PUT',
        headers,
        ...(!isDeletion && { body: JSON.stringify({ attributes }) }),
        signal: AbortSignal.timeout(10_000),
      })
      await response.arrayBuffer()
      if (!response.ok) return
      this.#written += 1
      times.acknowledge(response.headers.get('worldwright-position') ?? '')
    }
  }

  start(): void {
    const everyMs = (WRITERS * 1_000) / PER_SECOND
    this.#running = Array.from({ length: WRITERS }, async () => {
      for (let due = performance.now() + Math.random() * everyMs; !this.#isOver; due += everyMs) {
        await pause(Math.max(0, due - performance.now()))
        // Writes fail while the server is gone.
        await this.#write().catch(() => {})
      }
    })
  }

  /** Starts no more writes and waits for those in flight. Returns the number of acknowledged writes. */
  async stop(): Promise<number> {
    this.#isOver = true
    await Promise.all(this.#running)
    return this.#written
  }
}

/** A client that follows a condition. */
interface Client {
  readonly question: Question
  /** Ids of the entities that match, by the changes received so far. */
  readonly ids: ReadonlySet<string>
  /** Returns the error that ended the client, or undefined while it follows. */
  failure(): unknown
}

/**
 * Sends a query, and follows its condition from the offset of the answer. The first client of each condition uses the client
 * library; the others read the same events at less cost, because all clients share the processor with the world.
 */
async function opened(
  { world, url }: { readonly world: World; readonly url: string },
  at: number,
  times: Times,
  signal: AbortSignal,
): Promise<Client> {
  const question = QUESTIONS[at % CONDITIONS] as Question
  const { type, where } = question
  const { ids, offset: since } = await asked(world, question)
  const note = ({ op, id, position }: ReadChange) => {
    if (op === 'put') ids.add(id)
    else ids.delete(id)
    times.note(position)
  }
  const address = new URL(`${url}/api/world/v0/changes`)
  address.search = `${new URLSearchParams({ types: type, where: JSON.stringify(where) })}`
  let failure: unknown
  const following =
    at < CONDITIONS
      ? noteAll(world.changes({ types: [type], where, since, signal }), note)
      : readEvents(address, since, signal, note)
  following.catch((error) => {
    if (!isWorldError(error) || error.code !== 'aborted') failure = error
  })
  return { question, ids, failure: () => failure }
}

async function noteAll(
  changes: AsyncIterable<ReadChange>,
  note: (change: ReadChange) => void,
): Promise<void> {
  for await (const change of changes) note(change)
}

/** Returns the ids that a query finds, and the offset of its first page. */
async function asked(world: World, { type, where }: Question) {
  const ids = new Set<string>()
  let offset: string | undefined
  for await (const page of world.query({ types: [type], where, limit: 200 }).pages()) {
    offset ??= page.offset
    for (const { id } of page.entities) ids.add(id)
  }
  if (offset === undefined) throw new Error('The answer has no offset.')
  return { ids, offset }
}

/** Waits until each set equals the result of a new query. Returns the number of sets that differ at the deadline. */
async function differing(world: World, clients: readonly Client[]): Promise<number> {
  const truths = new Map<Question, ReadonlySet<string>>()
  for (const question of QUESTIONS) truths.set(question, (await asked(world, question)).ids)
  const left = () =>
    clients.filter(({ question, ids }) => (truths.get(question)?.symmetricDifference(ids).size ?? 1) > 0)
  await waitedFor(() => left().length === 0, COMPLETE_MS)
  return left().length
}
