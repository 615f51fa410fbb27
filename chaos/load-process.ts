/** Load generators and neighbours, in separate processes, on other cores than the world. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { type Caller, type Channel, createCaller } from '@worldwright/serve/workers'
import type { Ask, FLOODS } from './asks.ts'
import type { Answer } from './clients.ts'

/** One load: requests, rate and duration. */
export interface LoadPlan {
  readonly port: number
  /** Local address to send from. */
  readonly address: string
  readonly flood: keyof typeof FLOODS
  /** Token that may write. */
  readonly token: string
  /** Number of open connections. If all are busy, due requests wait, and may never be sent: the report counts them. */
  readonly connections: number
  /** Absent: a closed loop, in which each connection sends its next request after an answer. */
  readonly perSecond?: number
  readonly ms: number
}

/** Number of answers, and their latencies in milliseconds, from the request to the last byte of the answer. */
export interface Took {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Outcome of one load plan. */
export interface LoadReport {
  readonly asked: number
  /** Requests that were due while no connection was free. */
  readonly neverAsked: number
  readonly seconds: number
  readonly statuses: Readonly<Record<string, number>>
  /** Requests without any answer. */
  readonly lost: number
  readonly good: Took
  /** Requests answered with 503. */
  readonly refused: Took
  /** Generator's own share of a core, delay of its event loop (p99), and lateness of its requests (p99). */
  readonly generator: { readonly cpu: number; readonly lagMs: number; readonly lateMs: number }
}

/** Request that a neighbour sends repeatedly, each time on a new connection. */
export interface Watch {
  readonly port: number
  readonly address: string
  readonly ask: Ask
  /** Interval, in milliseconds. */
  readonly everyMs: number
  /** Processes of the world. */
  readonly pids: readonly number[]
}

/** Observations of a neighbour for one of its watches. */
export interface Seen {
  readonly answers: readonly Answer[]
  /**
   * For each answer, the processor time of the world meanwhile, in milliseconds: the latency if nothing else used the
   * world's cores.
   */
  readonly worked: readonly number[]
  /** Longest delay of its own event loop in milliseconds, which is part of each of its figures. */
  readonly lagMs: number
}

/** Grace period before a load process is killed, in milliseconds: it has nothing to finish. */
const GONE_MS = 10_000

const PROGRAM = `${import.meta.dirname}/load-program.ts`

/**
 * Cores of the world and cores of the load. They are disjoint, so that a fivefold load takes nothing from the world; on a
 * machine with one core, both have that one.
 */
export function cores(): { readonly world: string; readonly load: string } {
  const all = availableParallelism()
  if (all < 2) return { world: '0', load: '0' }
  const half = Math.floor(all / 2)
  return { world: `0-${half - 1}`, load: `${half}-${all - 1}` }
}

/**
 * Runs a program at high priority. Only root may, and only a program that does little should. Not a real-time policy: the
 * helper threads of a process would wait behind its main thread, which spins for them and takes the core from the load.
 */
const FIRST = process.getuid?.() === 0 ? ['nice', '-n', '-20'] : []

/** A process that sends requests to a world, pinned to the cores of the load. */
export class LoadProcess {
  readonly #child: ChildProcess
  readonly #call: Caller

  /** @param kind a neighbour has high priority if possible: other processes on its cores would distort its timings */
  constructor(kind: 'load' | 'neighbour') {
    const under = [...(kind === 'neighbour' ? FIRST : []), 'taskset', '-c', cores().load]
    const [command = '', ...args] = [...under, process.execPath, '--conditions=@worldwright/source', PROGRAM]
    this.#child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    this.#call = createCaller(this.#child as unknown as Channel)
  }

  /** Runs a plan. */
  async load(plan: LoadPlan): Promise<LoadReport> {
    return (await this.#call('load', [plan])) as LoadReport
  }

  /** Resolves when all connections of the last load are open. */
  async opened(): Promise<void> {
    await this.#call('opened')
  }

  /** Begins to send each of these requests. */
  async watch(watches: Readonly<Record<string, Watch>>): Promise<void> {
    await this.#call('watch', [watches])
  }

  /** Ends the watches and returns their observations by name. */
  async seen<Name extends string>(): Promise<Record<Name, Seen>> {
    return (await this.#call('seen')) as Record<Name, Seen>
  }

  /** Ends the process and resolves when it is gone; kills it after ten seconds. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    if (this.#child.connected) this.#child.disconnect()
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), GONE_MS)
    await exited
    clearTimeout(limit)
  }
}
