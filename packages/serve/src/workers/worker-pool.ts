/**
 * Pool of workers behind one port. The workers accept connections from a shared socket; while there is no worker, the
 * primary accepts them. A worker that dies or does not respond is replaced.
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
import { ACCEPT, ENDED, type Finish, has, RENEWED } from './worker-messages.ts'

/** A worker, as seen by the primary. */
export type PoolWorker = ChildProcess & Channel

/** Options and callbacks for a worker pool. */
export interface PoolOptions {
  readonly host: string
  /** Port to listen on. 0 selects a free port. */
  readonly port: number
  /** Serves requests while there is no worker. */
  readonly handler: RequestHandler
  readonly count: number
  /** Resolves when workers may start. Default: at once. */
  readonly ready?: Promise<unknown> | undefined
  /** Path of the worker program. */
  readonly program: string
  readonly args?: readonly string[]
  /**
   * Called to configure each new worker, for example with the pool's address. If it fails, the worker is killed.
   */
  readonly onStart?: (worker: PoolWorker, url: string) => MaybePromise<unknown>
  /** Called when a worker begins to serve requests. */
  readonly onReady?: (worker: PoolWorker) => void
  /** Called when a serving worker has exited. `expected` is true if the pool asked it to exit. */
  readonly onExit?: (worker: PoolWorker, expected: boolean) => void
  /** Called when a worker could not start, before the next attempt. */
  readonly onFailure?: (error: unknown) => void
  /** Called before a worker is killed because it does not respond. */
  readonly onUnresponsive?: (worker: PoolWorker) => void
  /** Heartbeat interval, in milliseconds. Default: five seconds. */
  readonly heartbeatMs?: number
  /** Waits before another worker is started. Default: a timer. */
  readonly pause?: (ms: number) => Promise<unknown>
}

/** Time after which a finishing worker is killed, in milliseconds. Its own limit is `CLOSE_MS`. */
const FINISH_MS = CLOSE_MS + 5_000

const HEARTBEAT_MS = 5_000

/** Minimum lifetime of a healthy worker, in milliseconds. A worker that dies sooner is replaced after a pause. */
const HEALTHY_MS = 1_000
/** Maximum backoff between starts, in milliseconds. The backoff doubles with each failure. */
const MAX_PAUSE_MS = 30_000

/**
 * Socket handles per worker. In each event loop iteration, a worker accepts one connection per handle. With a single handle,
 * each connection of a burst would take one iteration.
 */
const ACCEPTS = 8

/** Socket options that `answerConnections` requires. */
const ACCEPTED = { pauseOnConnect: true, noDelay: true }

/**
 * Listens at an address and starts the workers.
 * Rejects with the error of Node.js (`EADDRINUSE`, `EACCES`, …) if the address is not available.
 */
export async function startWorkerPool(options: PoolOptions): Promise<WorkerPool> {
  const server = createServer(ACCEPTED)
  await listening(server, options.port, options.host, BACKLOG)
  return new WorkerPool(server, options)
}

/** A port and the workers behind it. Created by `startWorkerPool`. */
export class WorkerPool {
  /** Origin at which the pool listens. */
  readonly url: string
  readonly port: number
  readonly #options: PoolOptions
  /** Server that accepts connections while there is no worker. */
  #server: Server | undefined
  /** Listening socket, kept for future workers while this process accepts no connections. */
  #socket: ListeningSocket | undefined
  readonly #own: ReturnType<typeof answerConnections>
  readonly #starting = new Set<PoolWorker>()
  readonly #serving = new Set<PoolWorker>()
  readonly #leaving = new Set<PoolWorker>()
  /** Number of consecutive workers that could not start or died soon after their start. */
  #failures = 0
  #renewing = Promise.resolve()
  #closing = false

  /** @param server server that is listening and has not accepted a connection */
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
    for (let missing = options.count; missing > 0; missing--) this.#keepTrying(options.ready)
  }

  /** Returns the process ids of the serving workers. */
  pids(): number[] {
    return [...this.#serving].map(({ pid }) => pid ?? 0)
  }

  /** Replaces the workers one at a time. Each new one serves before the old one stops accepting connections. */
  renew(): Promise<void> {
    const renewed = this.#renewing.then(() => this.#renewAll())
    this.#renewing = renewed.catch(() => {})
    return renewed
  }

  async #renewAll(): Promise<void> {
    for (const old of [...this.#serving]) await this.#replace(old)
  }

  /** Stops accepting connections, and ends all workers after they have finished their requests. */
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

  /** Lets a worker accept connections. Resolves when the worker accepts and this process has stopped accepting. */
  async #open(worker: PoolWorker): Promise<void> {
    const accepting = new Promise<ListeningSocket | undefined>((resolve) => {
      worker.on('message', (message, handle: unknown) => {
        if (has(message, 'accepting')) resolve(handle as ListeningSocket | undefined)
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

  /** Accepts connections in this process until a worker does. */
  #acceptHere(): void {
    if (this.#closing || this.#socket === undefined) return
    this.#server = createServer(ACCEPTED, this.#own.take)
    accept(this.#server, this.#socket)
    this.#socket = undefined
  }

  /** Starts a worker. Resolves when it serves requests. */
  async #start(): Promise<PoolWorker> {
    const { program, args = [], onReady } = this.#options
    const worker = forkProcess(program, args, { serialization: 'advanced' }) as PoolWorker
    const startedAt = performance.now()
    // The system has run out of processes or file handles, and no `exit` follows.
    if (worker.pid === undefined) throw (await once(worker, 'error'))[0]
    // Ignore messages that could not be sent to a dying worker, whose `exit` follows.
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

  /** Resolves when a worker is configured and ready. */
  async #readied(worker: PoolWorker): Promise<void> {
    const ready = new Promise<void>((resolve) => {
      worker.on('message', (message) => {
        if (has(message, 'ready')) resolve()
      })
    })
    await Promise.all([this.#options.onStart?.(worker, this.url), ready])
  }

  /** Replaces a worker when it asks to be replaced or, if it asks before it serves, as soon as it serves. */
  #replacedOnRequest(worker: PoolWorker): { nowServing(): void } {
    let asked = false
    const replace = () => {
      const failed = (error: unknown) => this.#closing || this.#options.onFailure?.(error)
      if (asked) this.#replace(worker).catch(failed)
    }
    worker.on('message', (message) => {
      if (!has(message, 'leaving')) return
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

  /** Starts one more worker, once `ready` resolves, and retries with exponential backoff until one serves. */
  async #keepTrying(ready?: Promise<unknown>): Promise<void> {
    if (ready) await ready
    const { pause = (ms) => after(ms, undefined, { ref: false }) } = this.#options
    let failure: { readonly error: unknown } | undefined
    while (!this.#closing) {
      const wait = Math.min(HEALTHY_MS * 2 ** (this.#failures - 1), MAX_PAUSE_MS)
      if (this.#failures > 0) await pause(wait)
      if (this.#closing) return
      // Report a failure only now: on shutdown, workers may exit shortly before the pool is closed.
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

function exitOf(worker: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (worker.exitCode !== null || worker.signalCode !== null) resolve()
    else worker.once('exit', () => resolve())
  })
}
