/** Runs load generators and neighbours in separate processes, on cores that the world does not use. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { type Caller, type Channel, createCaller } from '@worldwright/serve/workers'
import type { Ask, FLOODS } from './asks.ts'
import type { Answer } from './clients.ts'

/** Requests, rate and duration of a load. */
export interface LoadPlan {
  readonly port: number
  /** Local address to send from. */
  readonly address: string
  readonly flood: keyof typeof FLOODS
  /** Token with write permission. */
  readonly token: string
  /** Number of open connections. While all are busy, due requests wait. The report counts those that are never sent. */
  readonly connections: number
  /** Request rate. If absent, the loop is closed: each connection sends its next request after a response. */
  readonly perSecond?: number
  readonly ms: number
}

/** Number of responses, and their latencies from the request to the last byte of the response, in milliseconds. */
export interface Took {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Outcome of one load plan. */
export interface LoadReport {
  readonly asked: number
  /** Number of due requests that were not sent because no connection was free. */
  readonly neverAsked: number
  readonly seconds: number
  readonly statuses: Readonly<Record<string, number>>
  /** Number of requests without a response. */
  readonly lost: number
  readonly good: Took
  /** Latencies of requests answered with 503. */
  readonly refused: Took
  /** Generator's share of a core, the p99 delay of its event loop, and the p99 lateness of its requests. */
  readonly generator: { readonly cpu: number; readonly lagMs: number; readonly lateMs: number }
}

/** Request that a neighbour sends repeatedly, each time on a new connection. */
export interface Watch {
  readonly port: number
  readonly address: string
  readonly ask: Ask
  /** Interval between requests, in milliseconds. */
  readonly everyMs: number
  /** Process ids of the world. */
  readonly pids: readonly number[]
}

/** Observations of a neighbour for one of its watches. */
export interface Seen {
  readonly answers: readonly Answer[]
  /**
   * Processor time that the world used during each request, in milliseconds. This is what the latency would be if nothing
   * else used the world's cores.
   */
  readonly worked: readonly number[]
  /** Longest delay of the neighbour's own event loop in milliseconds, which may have added to its latencies. */
  readonly lagMs: number
}

/** Grace period before a load process is killed, in milliseconds. */
const GONE_MS = 10_000

const PROGRAM = `${import.meta.dirname}/load-program.ts`

/**
 * Returns the cores of the world and of the load. They are disjoint, so that even a fivefold load does not slow down the
 * world. On a machine with one core, both share it.
 */
export function cores(): { readonly world: string; readonly load: string } {
  const all = availableParallelism()
  if (all < 2) return { world: '0', load: '0' }
  const half = Math.floor(all / 2)
  return { world: `0-${half - 1}`, load: `${half}-${all - 1}` }
}

/**
 * Command that runs a program at high priority, which requires root and suits only a program that does little. A real-time
 * policy would starve a process's helper threads while its main thread spins for them, and would starve the load too.
 */
const FIRST = process.getuid?.() === 0 ? ['nice', '-n', '-20'] : []

/** Process that sends requests to a world, pinned to the cores of the load. */
export class LoadProcess {
  readonly #child: ChildProcess
  readonly #call: Caller

  /** @param kind a `neighbour` gets high priority if possible, so that other processes do not distort its timings */
  constructor(kind: 'load' | 'neighbour') {
    const under = [...(kind === 'neighbour' ? FIRST : []), 'taskset', '-c', cores().load]
    const [command = '', ...args] = [...under, process.execPath, '--conditions=@worldwright/source', PROGRAM]
    this.#child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    this.#call = createCaller(this.#child as unknown as Channel)
  }

  /** Runs a load plan to its end. */
  async load(plan: LoadPlan): Promise<LoadReport> {
    return (await this.#call('load', [plan])) as LoadReport
  }

  /** Resolves when all connections of the last load are open. */
  async opened(): Promise<void> {
    await this.#call('opened')
  }

  /** Starts sending each of these requests repeatedly. */
  async watch(watches: Readonly<Record<string, Watch>>): Promise<void> {
    await this.#call('watch', [watches])
  }

  /** Ends the watches and returns their observations by name. */
  async seen<Name extends string>(): Promise<Record<Name, Seen>> {
    return (await this.#call('seen')) as Record<Name, Seen>
  }

  /** Ends the process, killing it after ten seconds. Resolves when it has exited. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    if (this.#child.connected) this.#child.disconnect()
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), GONE_MS)
    await exited
    clearTimeout(limit)
  }
}
