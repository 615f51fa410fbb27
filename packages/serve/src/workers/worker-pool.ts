/**
 * Workers behind one port. They accept connections by themselves, from one socket; while there is none, the primary answers. A
 * worker that dies or does not respond is replaced.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import type { MaybePromise } from '@worldwright/core/store'
import { answerConnections, CLOSE_MS, listening, originOf, type RequestHandler } from '@worldwright/node'
import { limitConnections } from '../overload/limit-connections.ts'
import { forkProcess } from './fork-process.ts'
import { accept, BACKLOG, type ListeningSocket, sendSocket, socketOf } from './listening-socket.ts'
import type { Channel } from './rpc.ts'
import { watchHeartbeat } from './worker-heartbeat.ts'
import { ACCEPT, ENDED, type Finish, isAccepting, isLeaving, isReady, RENEWED } from './worker-messages.ts'

/** A worker, as its primary sees it. */
export type PoolWorker = ChildProcess & Channel

/** Address of a pool, its workers, and callbacks about them. */
export interface PoolOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** Answers while no worker does. */
  readonly handler: RequestHandler
  readonly count: number
  /** The program of a worker and its arguments. */
  readonly program: string
  readonly args?: readonly string[]
  /**
   * Called for every new worker, to tell it what it needs to know, such as the pool's address. If this fails, the worker is
   * killed.
   */
  readonly onStart?: (worker: PoolWorker, url: string) => MaybePromise<unknown>
  /** Called when a worker serves. */
  readonly onReady?: (worker: PoolWorker) => void
  /** Called when a worker that served has ended; `expected` if the pool asked it to. */
  readonly onExit?: (worker: PoolWorker, expected: boolean) => void
  /** Called when a worker could not start, right before another is tried. */
  readonly onFailure?: (error: unknown) => void
  /** Called before a worker is killed because it does not respond. */
  readonly onUnresponsive?: (worker: PoolWorker) => void
  /** Heartbeat interval, in milliseconds; five seconds by default. */
  readonly heartbeatMs?: number
  /** Waits before another worker is tried. Default: a timer. */
  readonly pause?: (ms: number) => Promise<unknown>
}

/** Time after which a finishing worker is killed, in milliseconds: its own limit is `CLOSE_MS`. */
const FINISH_MS = CLOSE_MS + 5_000

const HEARTBEAT_MS = 5_000

/** Minimum life of a healthy worker, in milliseconds: one that dies sooner is replaced later, as the next would die too. */
const HEALTHY_MS = 1_000
/** Maximum pause before another start, in milliseconds. The pause doubles with each failure. */
const MAX_PAUSE_MS = 30_000

/**
 * Handles of the socket in each worker. In one round of its event loop a worker accepts one connection from each: with a single
 * one, new connections would wait for as many rounds as there are of them.
 */
const ACCEPTS = 8

/** Socket options that `answerConnections` requires. */
const ACCEPTED = { pauseOnConnect: true, noDelay: true }

/**
 * Listens, and starts the workers.
 * Rejects with the error of Node.js (`EADDRINUSE`, `EACCES`, …) if the address is not available.
 */
export async function startWorkerPool(options: PoolOptions): Promise<WorkerPool> {
  const server = createServer(ACCEPTED)
  await listening(server, options.port, options.host, BACKLOG)
  return new WorkerPool(server, options)
}

/** A port, and workers behind it. Created by `startWorkerPool`. */
export class WorkerPool {
  /** The address, as an origin. */
  readonly url: string
  readonly port: number
  readonly #options: PoolOptions
  /** Accepts connections while no worker does. */
  #server: Server | undefined
  /** Kept for future workers, while this process does not accept. */
  #socket: ListeningSocket | undefined
  readonly #own: ReturnType<typeof answerConnections>
  readonly #starting = new Set<PoolWorker>()
  readonly #serving = new Set<PoolWorker>()
  readonly #leaving = new Set<PoolWorker>()
  /** Number of workers in a row that died soon after their start, or could not start. */
  #failures = 0
  #renewing = Promise.resolve()
  #closing = false

  /** @param server listens already, and has accepted no connection */
  constructor(server: Server, options: PoolOptions) {
    this.port = (server.address() as AddressInfo).port
    this.url = originOf(options.host, this.port)
    this.#options = options
    this.#server = server
    this.#own = answerConnections(options.handler, {
      origin: this.url,
      limits: limitConnections(),
      onceEach: true,
    })
    server.on('connection', this.#own.take)
    for (let missing = options.count; missing > 0; missing--) this.#keepTrying()
  }

  /** Returns the process ids of the workers that serve now. */
  pids(): number[] {
    return [...this.#serving].map(({ pid }) => pid ?? 0)
  }

  /** Renews every worker, one after the other: the new one serves before the old one gets no more connections. */
  renew(): Promise<void> {
    const renewed = this.#renewing.then(() => this.#renewAll())
    this.#renewing = renewed.catch(() => {})
    return renewed
  }

  async #renewAll(): Promise<void> {
    for (const old of [...this.#serving]) await this.#replace(old)
  }

  /** Stops accepting connections, lets all workers finish their requests, and ends them. */
  async close(): Promise<void> {
    this.#closing = true
    this.#server?.close()
    this.#socket?.close()
    const killed = [...this.#starting].map((worker) => {
      worker.kill('SIGKILL')
      return exitOf(worker)
    })
    const finished = [...this.#serving].map((worker) => this.#finish(worker, ENDED))
    await Promise.all([...killed, ...finished, ...[...this.#leaving].map(exitOf), this.#own.close()])
  }

  /** Lets a worker accept connections; resolves when it does. From then on this process does not. */
  async #open(worker: PoolWorker): Promise<void> {
    const accepting = new Promise<ListeningSocket | undefined>((resolve) => {
      worker.on('message', (message, handle: unknown) => {
        if (isAccepting(message)) resolve(handle as ListeningSocket | undefined)
      })
    })
    const socket = this.#server ? socketOf(this.#server) : this.#socket
    if (socket === undefined) throw new Error('this pool is closed')
    for (let count = 0; count < ACCEPTS; count++) sendSocket(worker, ACCEPT, socket)
    const returned = await accepting
    if (this.#closing || this.#server === undefined) {
      returned?.close()
      return
    }
    this.#socket = returned
    this.#server.close()
    this.#server = undefined
  }

  /** Accepts connections again, until a worker does. */
  #acceptHere(): void {
    if (this.#closing || this.#socket === undefined) return
    this.#server = createServer(ACCEPTED, this.#own.take)
    accept(this.#server, this.#socket)
    this.#socket = undefined
  }

  /** Starts a worker. Resolves when it serves. */
  async #start(): Promise<PoolWorker> {
    const { program, args = [], onReady } = this.#options
    const worker = forkProcess(program, args, { serialization: 'advanced' }) as PoolWorker
    const startedAt = performance.now()
    // The system has no process or no file handle left: then no `exit` follows.
    if (worker.pid === undefined) throw (await once(worker, 'error'))[0]
    // A message could not be sent to a dying worker: its `exit` follows.
    worker.on('error', () => {})
    const leaves = this.#replacedOnRequest(worker)
    const ended = exitOf(worker).then(() => {
      const { exitCode, signalCode } = worker
      throw new Error(`a worker ended before it was ready, with ${signalCode ?? `code ${exitCode}`}`)
    })
    this.#starting.add(worker)
    try {
      await Promise.race([this.#readied(worker).then(() => this.#open(worker)), ended])
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

  /** Resolves when a worker has its configuration and is prepared. */
  async #readied(worker: PoolWorker): Promise<void> {
    const ready = new Promise<void>((resolve) => {
      worker.on('message', (message) => {
        if (isReady(message)) resolve()
      })
    })
    await Promise.all([this.#options.onStart?.(worker, this.url), ready])
  }

  /** Replaces a worker on its request: at once, or as soon as it serves. */
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
    const expected = this.#leaving.delete(worker)
    if (this.#serving.size === 0) this.#acceptHere()
    if (served || expected) this.#options.onExit?.(worker, expected)
    if (!served) return
    this.#failures = lived < HEALTHY_MS ? this.#failures + 1 : 0
    this.#keepTrying()
  }

  /** Starts one more worker, and tries again until one serves: at once, and after failures with growing pauses. */
  async #keepTrying(): Promise<void> {
    const { pause = pauseFor } = this.#options
    let failure: { readonly error: unknown } | undefined
    while (!this.#closing) {
      const wait = Math.min(HEALTHY_MS * 2 ** (this.#failures - 1), MAX_PAUSE_MS)
      if (this.#failures > 0) await pause(wait)
      if (this.#closing) return
      // Reported only now: if all processes end at once, workers may be gone before the pool is closed.
      if (failure) this.#options.onFailure?.(failure.error)
      failure = await this.#start().then(
        () => undefined,
        (error) => ({ error }),
      )
      if (failure === undefined) return
      this.#failures += 1
    }
  }

  async #replace(old: PoolWorker): Promise<void> {
    if (this.#closing || !this.#serving.has(old)) return
    await this.#start()
    await this.#finish(old, RENEWED)
  }

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

function pauseFor(ms: number): Promise<unknown> {
  return after(ms, undefined, { ref: false })
}

function exitOf(worker: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (worker.exitCode !== null || worker.signalCode !== null) resolve()
    else worker.once('exit', () => resolve())
  })
}
