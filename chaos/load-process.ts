/** Load generators and neighbours, in processes of their own, on other cores than the world. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { type Caller, type Channel, createCaller } from '@worldwright/serve/workers'
import type { Ask, FLOODS } from './asks.ts'
import type { Answer } from './clients.ts'

/** What to ask for, and how often. */
export interface LoadPlan {
  readonly port: number
  /** From which address of this machine. */
  readonly address: string
  readonly flood: keyof typeof FLOODS
  /** May write. */
  readonly token: string
  /** How many are open. With all of them under way, what is due waits, and may never be asked: the report says so. */
  readonly connections: number
  /** Absent: a closed loop, in which each connection asks again when it has its answer. */
  readonly perSecond?: number
  readonly ms: number
}

/** How many answers, and the milliseconds that they took from the moment they were asked to their last byte. */
export interface Took {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** What came of a plan. */
export interface LoadReport {
  readonly asked: number
  /** Due, and no connection was free for them. */
  readonly neverAsked: number
  readonly seconds: number
  readonly statuses: Readonly<Record<string, number>>
  /** Without any answer. */
  readonly lost: number
  readonly good: Took
  /** Answered with 503. */
  readonly refused: Took
  /** Of the generator itself: its part of a core, its event loop's delay (p99), and how late it asked (p99). */
  readonly generator: { readonly cpu: number; readonly lagMs: number; readonly lateMs: number }
}

/** What a neighbour asks again and again, each time on a new connection. */
export interface Watch {
  readonly port: number
  readonly address: string
  readonly ask: Ask
  /** Once in so many milliseconds. */
  readonly everyMs: number
  /** The processes of the world. */
  readonly pids: readonly number[]
}

/** What a neighbour saw of one of its watches. */
export interface Seen {
  readonly answers: readonly Answer[]
  /**
   * For each answer, the milliseconds of processor time that the world had meanwhile: what would have been waited where
   * nothing else uses its cores.
   */
  readonly worked: readonly number[]
  /** The longest delay of its own event loop, which is part of each of its figures. */
  readonly lagMs: number
}

/** A load process has nothing to finish: whatever it is at, it is gone after this time. */
const GONE_MS = 10_000

const PROGRAM = `${import.meta.dirname}/load-program.ts`

/**
 * The cores of the world and those of the load. Each has its own, so that the load takes nothing from the world when it
 * is five times as much; on a machine with one core, both have that one.
 */
export function cores(): { readonly world: string; readonly load: string } {
  const all = availableParallelism()
  if (all < 2) return { world: '0', load: '0' }
  const half = Math.floor(all / 2)
  return { world: `0-${half - 1}`, load: `${half}-${all - 1}` }
}

/**
 * Runs a program before most others. Only root may, and only what does little should. No real-time policy: the helper
 * threads of a process wait behind its main thread then, which spins for them and takes the core from the load.
 */
const FIRST = process.getuid?.() === 0 ? ['nice', '-n', '-20'] : []

/** A process that asks a world, pinned to the cores of the load. */
export class LoadProcess {
  readonly #child: ChildProcess
  readonly #call: Caller

  /** @param kind a neighbour measures with a clock that others on its cores would hold up: it goes first where it may */
  constructor(kind: 'load' | 'neighbour') {
    const under = [...(kind === 'neighbour' ? FIRST : []), 'taskset', '-c', cores().load]
    const [command = '', ...args] = [...under, process.execPath, '--conditions=@worldwright/source', PROGRAM]
    this.#child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    this.#call = createCaller(this.#child as unknown as Channel)
  }

  /** Carries out a plan. */
  async load(plan: LoadPlan): Promise<LoadReport> {
    return (await this.#call('load', [plan])) as LoadReport
  }

  /** Resolves when all connections of the load that was asked for last are open. */
  async opened(): Promise<void> {
    await this.#call('opened')
  }

  /** Begins to ask for each of these. */
  async watch(watches: Readonly<Record<string, Watch>>): Promise<void> {
    await this.#call('watch', [watches])
  }

  /** Ends that, and gives what came, by the names of what was asked. */
  async seen<Name extends string>(): Promise<Record<Name, Seen>> {
    return (await this.#call('seen')) as Record<Name, Seen>
  }

  /** Resolves when the process is gone: by itself, or killed where it is there after ten seconds. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    if (this.#child.connected) this.#child.disconnect()
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), GONE_MS)
    await exited
    clearTimeout(limit)
  }
}
