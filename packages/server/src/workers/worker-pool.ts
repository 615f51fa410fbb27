/**
 * Workers behind one port. The primary listens and hands each connection to the next worker in turn; while there is
 * none, it answers by itself. A worker that dies, or does not respond, is replaced.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { answerConnections, CLOSE_MS, listening, originOf, type RequestHandler } from '../adapters/node.ts'
import type { MaybePromise } from '../storage/contract.ts'
import { watchHeartbeat } from './heartbeat.ts'
import type { Channel } from './rpc.ts'
import { CONNECTION, type Finish, isLeaving, isReady, RENEWED } from './worker-messages.ts'

/** A worker as its primary has it. */
export type PoolWorker = ChildProcess & Channel

/** The address of a pool, its workers, and who hears of them. */
export interface PoolOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Answers as long as no worker does. */
  readonly handler: RequestHandler
  readonly count: number
  /** The program of a worker and its arguments. */
  readonly program: string
  readonly args?: readonly string[]
  /**
   * Called for every new worker: tells it what it needs to know, such as the pool's address. Where this fails, the
   * worker is killed.
   */
  readonly onStart?: (worker: PoolWorker, url: string) => MaybePromise<unknown>
  /** Called when a worker serves. */
  readonly onReady?: (worker: PoolWorker) => void
  /** Called when a worker that served has gone; `expected` where the pool asked it to. */
  readonly onExit?: (worker: PoolWorker, expected: boolean) => void
  /** Called when a worker could not start, right before another is tried, a second later. */
  readonly onFailure?: (error: unknown) => void
  /** Called before a worker is killed because it does not respond. */
  readonly onUnresponsive?: (worker: PoolWorker) => void
  /** How often workers are asked for a sign of life, in milliseconds; every five seconds by default. */
  readonly heartbeatMs?: number
}

/** A worker that takes longer to finish never will: its own limit is `CLOSE_MS`. */
const FINISH_MS = CLOSE_MS + 5_000

const HEARTBEAT_MS = 5_000

/** A worker that dies sooner than this after its start is not replaced at once: the next would only die as well. */
const HEALTHY_MS = 1_000

/**
 * Listens, and starts the workers.
 * Rejects with Node's error (`EADDRINUSE`, `EACCES`, …) where the address cannot be had.
 */
export async function startWorkerPool(options: PoolOptions): Promise<WorkerPool> {
  const server = createServer({ pauseOnConnect: true, noDelay: true })
  await listening(server, options.port, options.host)
  return new WorkerPool(server, options)
}

/** A port, and workers behind it. Made by `startWorkerPool`. */
export class WorkerPool {
  /** The address, as an origin. */
  readonly url: string
  readonly port: number
  readonly #options: PoolOptions
  readonly #server: Server
  readonly #own: ReturnType<typeof answerConnections>
  readonly #starting = new Set<PoolWorker>()
  /** In the order of their turns: first the one that had its turn longest ago. */
  readonly #serving = new Set<PoolWorker>()
  readonly #leaving = new Set<PoolWorker>()
  /** Connections on their way to a worker. Where it dies, nobody else hears of them. */
  readonly #underWay = new WeakMap<PoolWorker, Set<Socket>>()
  #closing = false

  /** @param server listens already, and has handed out no connection */
  constructor(server: Server, options: PoolOptions) {
    this.port = (server.address() as AddressInfo).port
    this.url = originOf(options.host, this.port)
    this.#options = options
    this.#server = server
    this.#own = answerConnections(options.handler, { origin: this.url, onceEach: true })
    server.on('connection', (connection) => this.#hand(connection))
    for (let missing = options.count; missing > 0; missing--) this.#keepTrying(false)
  }

  /** Process ids of those that serve now. */
  pids(): number[] {
    return [...this.#serving].map(({ pid }) => pid ?? 0)
  }

  /** Renews every worker, one after the other: the new one serves before the old one gets no more connections. */
  async renew(): Promise<void> {
    for (const old of [...this.#serving]) await this.#replace(old)
  }

  /** Takes no new connections, lets all finish their requests, and ends them. */
  async close(): Promise<void> {
    this.#closing = true
    this.#server.close()
    const killed = [...this.#starting].map((worker) => {
      worker.kill('SIGKILL')
      return exitOf(worker)
    })
    const finished = [...this.#serving].map((worker) => this.#finish(worker, { drainMs: 0 }))
    await Promise.all([...killed, ...finished, ...[...this.#leaving].map(exitOf), this.#own.close()])
  }

  #hand(connection: Socket): void {
    const [next] = this.#serving
    if (next === undefined) {
      this.#own.take(connection)
      return
    }
    this.#serving.delete(next)
    this.#serving.add(next)
    const handed = this.#underWay.get(next) ?? new Set()
    this.#underWay.set(next, handed.add(connection))
    // Kept open and closed here: Node itself would close it only once the worker says that it has it.
    next.send(CONNECTION, connection, { keepOpen: true }, () => {
      handed.delete(connection)
      connection.destroy()
    })
  }

  /** Resolves with a worker that serves. */
  async #start(): Promise<PoolWorker> {
    const { program, args = [], onReady } = this.#options
    const worker = fork(program, [...args], { serialization: 'advanced' }) as PoolWorker
    const startedAt = performance.now()
    // A message could not be sent to a worker that is dying: its `exit` follows.
    worker.on('error', () => {})
    const leaves = this.#replacedOnRequest(worker)
    const ended = exitOf(worker).then(() => {
      throw new Error('a worker ended before it was ready')
    })
    this.#starting.add(worker)
    try {
      await Promise.race([this.#readied(worker), ended])
    } catch (error) {
      worker.kill('SIGKILL')
      throw error
    } finally {
      this.#starting.delete(worker)
      ended.catch(() => this.#gone(worker, performance.now() - startedAt))
    }
    this.#serving.add(worker)
    watchHeartbeat(worker, this.#options.heartbeatMs ?? HEARTBEAT_MS, () => {
      this.#options.onUnresponsive?.(worker)
      worker.kill('SIGKILL')
    })
    onReady?.(worker)
    leaves.nowServing()
    return worker
  }

  /** Told what it needs to know, and ready for connections. */
  async #readied(worker: PoolWorker): Promise<void> {
    const ready = new Promise<void>((resolve) => {
      worker.on('message', (message) => {
        if (isReady(message)) resolve()
      })
    })
    await Promise.all([this.#options.onStart?.(worker, this.url), ready])
  }

  /** Replaces a worker that asks for it: at once, or, where it does not serve yet, as soon as it does. */
  #replacedOnRequest(worker: PoolWorker): { nowServing(): void } {
    let asked = false
    const replace = () => {
      const failed = (error: unknown) => this.#closing || this.#options.onFailure?.(error)
      if (asked) this.#replace(worker).catch(failed)
    }
    worker.on('message', (message) => {
      if (!isLeaving(message)) return
      asked = true
      replace()
    })
    return { nowServing: replace }
  }

  #gone(worker: PoolWorker, lived: number): void {
    const served = this.#serving.delete(worker)
    for (const connection of this.#underWay.get(worker) ?? []) connection.destroy()
    const expected = this.#leaving.delete(worker)
    if (served || expected) this.#options.onExit?.(worker, expected)
    if (served) this.#keepTrying(lived < HEALTHY_MS)
  }

  /** Starts one more worker, and tries again each second until one serves. */
  async #keepTrying(late: boolean): Promise<void> {
    let failure: { readonly error: unknown } | undefined
    for (let wait = late; !this.#closing; wait = true) {
      if (wait) await pause(HEALTHY_MS, undefined, { ref: false })
      if (this.#closing) return
      // Only now: where all processes end at once, workers may be gone before the pool is closed.
      if (failure) this.#options.onFailure?.(failure.error)
      failure = await this.#start().then(
        () => undefined,
        (error) => ({ error }),
      )
      if (failure === undefined) return
    }
  }

  async #replace(old: PoolWorker): Promise<void> {
    if (this.#closing || !this.#serving.has(old)) return
    await this.#start()
    await this.#finish(old, RENEWED)
  }

  /** The worker takes what was handed over before, since that message came first. */
  async #finish(worker: PoolWorker, finish: Finish['finish']): Promise<void> {
    if (!this.#serving.delete(worker)) return
    this.#leaving.add(worker)
    const ended = exitOf(worker)
    worker.send({ finish } satisfies Finish, () => {})
    const timer = setTimeout(() => worker.kill('SIGKILL'), FINISH_MS)
    await ended
    clearTimeout(timer)
  }
}

function exitOf(worker: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (worker.exitCode !== null || worker.signalCode !== null) resolve()
    else worker.once('exit', () => resolve())
  })
}
