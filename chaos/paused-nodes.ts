/**
 * Stops nodes with SIGSTOP, and cuts them off from the database, in each phase of a write. The others must soon write the
 * same type again and never fail to read, no acknowledged write may be lost or applied twice, no refused one may be there,
 * and afterwards the node must soon serve what the others do.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../packages/postgres/src/server.fixture.ts'
import { AcknowledgedWriters } from './acknowledged-writers.ts'
import { type Effort, type Finding, finding, notRun } from './fault.ts'
import { HeldWay, type Packet } from './held-way.ts'
import { Nodes, settledContents } from './nodes.ts'
import { readThing, waitedFor } from './served-world.ts'

const NODES = 3
const READERS = 4
const TRIALS = 200
const SHORT_TRIALS = 7
/** Maximum time from a fault until each other node acknowledges a write to the type, in milliseconds. */
const WRITABLE_MS = 5_000
/** The same in a short run, in which other work may share the machine. */
const SHORT_WRITABLE_MS = 10_000
/** Maximum time from the end of a fault until the node writes, and serves a write of another one, in milliseconds. */
const READY_MS = 10_000
/** Time after which a trial fails in which a phase does not occur or something does not recover, in milliseconds. */
const GIVEN_UP_MS = 60_000
/** Number of trials of which one lasts long, and for how long, in milliseconds: a node then cuts its own connections. */
const LONG_EVERY = 21
const LONG_MS = 12_000

/** Whether a node is stopped, or cut off from the database. */
type Kind = 'stopped' | 'cut off'

/** State of the node's writes that the database shows during a fault. */
type Seen = 'not begun' | 'type held' | 'committed, unanswered'

/** Faults in the order of the trials, each at a packet of a write, and the state that it must leave. */
const FAULTS: readonly (readonly [Kind, Packet, Seen])[] = [
  ['stopped', 'begin', 'not begun'],
  ['cut off', 'begin', 'not begun'],
  ['stopped', 'answer', 'type held'],
  ['cut off', 'committed', 'committed, unanswered'],
  ['stopped', 'commit', 'committed, unanswered'],
  ['cut off', 'commit', 'type held'],
  ['stopped', 'committed', 'committed, unanswered'],
  ['cut off', 'answer', 'type held'],
]

/** Records each row of an entity that a transaction wrote and committed. */
const RECORD = `CREATE TABLE public.applied (id text);
  CREATE FUNCTION public.record() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO public.applied VALUES (convert_from(NEW.id, 'UTF8')); RETURN NULL; END $$;
  CREATE TRIGGER record AFTER INSERT OR UPDATE ON worldwright.entities FOR EACH ROW EXECUTE FUNCTION public.record()`

const HOLDS = `SELECT FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE application_name = $1
  AND state = 'idle in transaction' AND relation = 'worldwright.types'::regclass AND mode = 'RowShareLock' AND granted`

/** Runs the fault with 200 stops and cuts, or 7 in a short run. */
export async function pausedNodes({ short }: Effort): Promise<Finding> {
  const server = await startPostgres()
  if (server === undefined) return notRun('this machine has no PostgreSQL')
  const trials = new Trials(server, short ? SHORT_WRITABLE_MS : WRITABLE_MS)
  try {
    return await trials.run(short ? SHORT_TRIALS : TRIALS)
  } finally {
    await trials.end()
    await server.end()
  }
}

class Trials {
  readonly #ways: readonly HeldWay[]
  readonly #client: pg.Client
  readonly #writableMs: number
  readonly #mistakes = { 'reads that failed': 0, 'not writable in time': 0, 'not ready in 10 s': 0 }
  readonly #seen: Record<string, number> = {}
  /** Fault of each node at this time. */
  readonly #faults: (Kind | undefined)[] = []
  #nodes: Nodes | undefined
  #worstMs = 0
  #readyMs = 0
  #reads = 0
  #isOver = false

  constructor({ url, folder }: PostgresServer, writableMs: number) {
    this.#writableMs = writableMs
    this.#ways = Array.from({ length: NODES }, () => new HeldWay(join(folder, '.s.PGSQL.5432')))
    this.#client = new pg.Client({ connectionString: url })
  }

  async run(trials: number): Promise<Finding> {
    const ports = await Promise.all(this.#ways.map((way) => way.listen()))
    const nodes = new Nodes((at) => `postgres://world@127.0.0.1:${ports[at]}/postgres`)
    this.#nodes = nodes
    await nodes.start(NODES)
    await this.#client.connect()
    await this.#client.query(RECORD)
    const writers = new AcknowledgedWriters((writer) => nodes.urls[writer % NODES] ?? '', nodes.token)
    const reading = Array.from({ length: READERS }, () => this.#read(nodes.urls, writers))
    try {
      for (let trial = 0; trial < trials; trial++) await this.#try(trial, nodes, writers)
    } finally {
      this.#isOver = true
      await Promise.all(reading)
      await writers.stop()
    }
    return this.#judge(trials, nodes, writers)
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#nodes?.end()
    for (const way of this.#ways) way.end()
    await this.#client.end()
  }

  async #try(trial: number, nodes: Nodes, writers: AcknowledgedWriters): Promise<void> {
    const at = trial % NODES
    const [kind, packet, expected] = FAULTS[trial % FAULTS.length] as (typeof FAULTS)[number]
    const others = nodes.urls.filter((_, other) => other !== at)
    const written = (url: string) =>
      waitedFor(async () => (await writers.attempt(url)) !== undefined, GIVEN_UP_MS)
    const heal = await this.#harm(at, kind, packet, nodes)
    const began = performance.now()
    try {
      const [seen] = await Promise.all([
        this.#seenOf(at, writers),
        ...others.map(async (url) => {
          const ms = (await written(url)) ?? Number.POSITIVE_INFINITY
          this.#worstMs = Math.max(this.#worstMs, ms)
          if (ms > this.#writableMs) this.#mistakes['not writable in time'] += 1
        }),
      ])
      if (seen === expected) this.#seen[`${kind}, ${seen}`] = (this.#seen[`${kind}, ${seen}`] ?? 0) + 1
      const least = trial % LONG_EVERY === LONG_EVERY - 1 ? LONG_MS : Math.random() * 500
      await pause(Math.max(0, began + least - performance.now()))
    } finally {
      heal()
    }
    const readyMs = await this.#readyAgain(nodes.urls[at] ?? '', others[0] ?? '', writers)
    this.#readyMs = Math.max(this.#readyMs, readyMs)
    if (readyMs > READY_MS) this.#mistakes['not ready in 10 s'] += 1
    this.#faults[at] = undefined
  }

  /** Stops the node or cuts it off at the next such packet. Returns the function that ends that. */
  async #harm(at: number, kind: Kind, packet: Packet, nodes: Nodes): Promise<() => void> {
    const way = this.#ways[at] as HeldWay
    const signal = nodes.signals(at)
    const harmed = Promise.withResolvers<void>()
    const harm = () => {
      way.seen = () => {}
      this.#faults[at] = kind
      if (kind === 'stopped') signal('SIGSTOP')
      // The first packet of a write that was on its way when the process stopped is late.
      if (kind === 'cut off' || packet === 'begin') way.hold()
      harmed.resolve()
    }
    const late = setTimeout(() => harmed.reject(new Error(`no ${packet} at a node`)), GIVEN_UP_MS)
    way.seen = (seen) => seen === packet && harm()
    await harmed.promise.finally(() => clearTimeout(late))
    return () => {
      if (kind === 'stopped') signal('SIGCONT')
      way.release()
    }
  }

  /** Returns what the database shows of the node's writes, as soon as it shows anything. */
  async #seenOf(at: number, writers: AcknowledgedWriters): Promise<Seen> {
    let seen: Seen = 'not begun'
    await waitedFor(async () => {
      const ids = [0, 1, 2].map((nth) => writers.inFlight(at + nth * NODES))
      const applied = await this.#client.query('SELECT FROM applied WHERE id = ANY($1)', [ids])
      const held = await this.#client.query(HOLDS, [`node-${at}`])
      if (applied.rowCount) seen = 'committed, unanswered'
      if (held.rowCount) seen = 'type held'
      return seen !== 'not begun'
    }, 500)
    return seen
  }

  /** Waits until a node writes, and serves a later write of another node. Returns the time taken in milliseconds. */
  async #readyAgain(url: string, other: string, writers: AcknowledgedWriters): Promise<number> {
    const began = performance.now()
    const isReady = async () => {
      const [own, id] = await Promise.all([writers.attempt(url), writers.attempt(other)])
      if (own === undefined || id === undefined) return false
      return (
        (await waitedFor(async () => (await readThing(url, id)).status === 200, GIVEN_UP_MS)) !== undefined
      )
    }
    const ms = await waitedFor(isReady, GIVEN_UP_MS)
    return ms === undefined ? Number.POSITIVE_INFINITY : performance.now() - began
  }

  /** Reads at all nodes that run, also at one that is cut off, what they acknowledged some time ago. */
  async #read(urls: readonly string[], writers: AcknowledgedWriters): Promise<void> {
    for (; !this.#isOver; await pause(5)) {
      const at = Math.floor(Math.random() * NODES)
      const fault = this.#faults[at]
      if (fault === 'stopped') continue
      const known = writers.acknowledgedBy(at)
      const id = known[Math.floor((Math.random() * known.length) / 2)] ?? 'first'
      const { status } = await readThing(urls[at] ?? '', id)
      this.#reads += 1
      if (status !== 200 && this.#faults[at] === fault) this.#mistakes['reads that failed'] += 1
    }
  }

  async #judge(trials: number, { urls }: Nodes, writers: AcknowledgedWriters): Promise<Finding> {
    const { acknowledged, refused } = writers
    const contents = await settledContents(urls)
    const positions = await Promise.all(urls.map(positionOf))
    const { rows } = await this.#client.query<{ id: string; times: number }>(
      'SELECT id, count(*)::int AS times FROM applied GROUP BY id',
    )
    const applied = new Map(rows.map(({ id, times }) => [id, times]))
    const unseen = FAULTS.filter(([kind, , seen]) => this.#seen[`${kind}, ${seen}`] === undefined)
    const seen = Object.entries(this.#seen).map(([name, count]) => `${count} ${name}`)
    return finding(
      `${trials} faults (${seen.join('; ')}), ${acknowledged.length} acknowledged writes, ${refused.size} refused, ${this.#reads} reads, writable in ${this.#worstMs.toFixed(0)} ms at most, ready again in ${this.#readyMs.toFixed(0)}`,
      {
        ...this.#mistakes,
        lost: contents.flatMap(({ ids }) => acknowledged.filter((id) => !ids.has(id))).length,
        'applied twice': [...applied.values()].filter((times) => times > 1).length,
        'refused but there': [...refused].filter((id) => applied.has(id)).length,
        'nodes that differ': new Set(contents.map(({ digest }, at) => `${digest} ${positions[at]}`)).size - 1,
        'phases never hit': unseen.length,
      },
    )
  }
}

/** Returns the position of a node. */
async function positionOf(url: string): Promise<string> {
  const response = await fetch(`${url}/api/world/v0/changes?limit=0`)
  const { position } = (await response.json()) as { readonly position?: string }
  if (position === undefined) throw new Error(`${url} has no position`)
  return position
}
