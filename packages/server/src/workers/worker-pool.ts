/**
 * Workers behind one port. The primary listens and hands each connection to the next worker in turn; while there is
 * none, it answers by itself. A worker that dies, or is silent for long, is replaced; one that shall go is replaced first.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { answerConnections, CLOSE_MS, listening, originOf, type RequestHandler } from '../adapters/node.ts'
import type { MaybePromise } from '../storage/contract.ts'
import type { Channel } from './rpc.ts'

/** A worker as its primary has it. */
export type PoolWorker = ChildProcess & Channel

/** What the pool runs. */
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
  /** Called for every new worker: tells it what it needs to know, the pool's address among it. Where this fails, it is ended. */
  readonly onStart?: (worker: PoolWorker, url: string) => MaybePromise<unknown>
  /** Called when a worker serves. */
  readonly onReady?: (worker: PoolWorker) => void
  /** Called when a worker that served has gone; `expected` where the pool asked it to. */
  readonly onExit?: (worker: PoolWorker, expected: boolean) => void
  /** Called when a worker could not start, right before another is tried, a second later. */
  readonly onFailure?: (error: unknown) => void
  /** Called before a worker is ended because it has long been silent. */
  readonly onUnresponsive?: (worker: PoolWorker) => void
  /** How often workers are asked whether they still live, in milliseconds; every five seconds by default. */
  readonly heartbeatMs?: number
}

/** A port, and workers behind it. */
export interface Pool {
  /** The address, as an origin. */
  readonly url: string
  readonly port: number
  /** Process ids of those that serve now. */
  pids(): number[]
  /** Renews every worker, one after the other: the new one serves before the old one gets no more connections. */
  renew(): Promise<void>
  /** Takes no new connections, lets all finish their requests, and ends them. */
  close(): Promise<void>
}

/** The message that comes with a connection. */
const CONNECTION = { connection: true }
/** A worker says that connections may come. */
export const READY = { ready: true }
/** A worker says that it would go. */
export const LEAVING = { leaving: true }
/** Whether a worker still lives; it answers with the same. */
export const HEARTBEAT = { heartbeat: true }

/** The message by which a worker learns that it shall finish and go. */
interface Finish {
  readonly finish: {
    /** How long it waits for connections that say nothing, in milliseconds. */
    readonly drainMs: number
  }
}

/** Where others go on serving: a client may just be sending on a connection that says nothing. */
export const RENEWED: Finish['finish'] = { drainMs: 2_000 }

/** Whether a message of the primary comes with a connection. */
export function isConnection(message: unknown): boolean {
  return has(message, 'connection')
}

/** Whether a message of the primary says that its worker shall finish. */
export function isFinish(message: unknown): message is Finish {
  return has(message, 'finish')
}

/** Whether a message asks for a sign of life. */
export function isHeartbeat(message: unknown): boolean {
  return has(message, 'heartbeat')
}

function has(message: unknown, member: string): boolean {
  return typeof message === 'object' && message !== null && member in message
}

/** A worker that takes longer to finish does not finish: its own limit is `CLOSE_MS`. */
const FINISH_MS = CLOSE_MS + 5_000

const HEARTBEAT_MS = 5_000
/** Questions without an answer after which a worker is taken for dead: nothing that it does keeps it so long. */
const UNANSWERED = 3

/** A worker that dies sooner than this after its start is not replaced at once: the next would only die as well. */
const HEALTHY_MS = 1_000

/**
 * Listens, and starts the workers.
 * Rejects with Node's error (`EADDRINUSE`, `EACCES`, …) where the address cannot be had.
 */
export async function startPool(options: PoolOptions): Promise<Pool> {
  const { host, count, program, args = [], handler } = options
  const server = createServer({ pauseOnConnect: true, noDelay: true }, hand)
  await listening(server, options.port, host)
  const { port } = server.address() as AddressInfo
  const url = originOf(host, port)
  const own = answerConnections(handler, { origin: url, onceEach: true })
  const starting = new Set<ChildProcess>()
  const serving = new Set<PoolWorker>()
  const leaving = new Set<PoolWorker>()
  /** Connections on their way to a worker. Where it dies, nobody is told of them. */
  const underWay = new WeakMap<PoolWorker, Set<Socket>>()
  let closing = false

  /** The next in turn is the one that had its turn longest ago. */
  function hand(connection: Socket): void {
    const [next] = serving
    if (next === undefined) {
      own.take(connection)
      return
    }
    serving.delete(next)
    serving.add(next)
    const handed = underWay.get(next) ?? new Set()
    underWay.set(next, handed.add(connection))
    // Kept open and closed here: Node itself would close it only once the worker says that it has it.
    next.send(CONNECTION, connection, { keepOpen: true }, () => {
      handed.delete(connection)
      connection.destroy()
    })
  }

  async function start(): Promise<PoolWorker> {
    const worker = fork(program, [...args], { serialization: 'advanced' }) as PoolWorker
    const startedAt = performance.now()
    starting.add(worker)
    // Of what could not be sent to a worker that is dying: `exit` tells of its end.
    worker.on('error', () => {})
    let wouldGo = false
    const replace = () => renew(worker).catch((error) => closing || options.onFailure?.(error))
    const ready = new Promise<void>((resolve) => {
      worker.on('message', (message) => {
        if (has(message, 'ready')) resolve()
        else if (has(message, 'leaving')) {
          wouldGo = true
          replace()
        }
      })
    })
    const ended = exitOf(worker).then(() => {
      throw new Error('a worker ended before it was ready')
    })
    try {
      await Promise.race([Promise.all([options.onStart?.(worker, url), ready]), ended])
    } catch (error) {
      worker.kill('SIGKILL')
      throw error
    } finally {
      starting.delete(worker)
      ended.catch(() => gone(worker, performance.now() - startedAt))
    }
    serving.add(worker)
    watchHeartbeat(worker)
    options.onReady?.(worker)
    if (wouldGo) replace()
    return worker
  }

  function gone(worker: PoolWorker, lived: number): void {
    const served = serving.delete(worker)
    for (const connection of underWay.get(worker) ?? []) connection.destroy()
    const expected = leaving.delete(worker)
    if (served || expected) options.onExit?.(worker, expected)
    if (served) keepTrying(lived < HEALTHY_MS)
  }

  /** Ends a worker that is stopped, or caught in an endless loop. Counted in questions: after a pause of the whole machine, all are late. */
  function watchHeartbeat(worker: PoolWorker): void {
    let unanswered = 0
    const timer = setInterval(() => {
      if (unanswered === UNANSWERED) {
        clearInterval(timer)
        options.onUnresponsive?.(worker)
        worker.kill('SIGKILL')
        return
      }
      unanswered += 1
      worker.send(HEARTBEAT, () => {})
    }, options.heartbeatMs ?? HEARTBEAT_MS).unref()
    worker.on('message', (message) => {
      if (isHeartbeat(message)) unanswered = 0
    })
    worker.once('exit', () => clearInterval(timer))
  }

  /** Starts one more worker, and tries again each second until one serves. */
  async function keepTrying(late: boolean): Promise<void> {
    let failure: { readonly error: unknown } | undefined
    for (let wait = late; !closing; wait = true) {
      if (wait) await pause(HEALTHY_MS, undefined, { ref: false })
      if (closing) return
      // Told only now: where all processes are ended at once, workers may be gone before the pool hears that it shall close.
      if (failure) options.onFailure?.(failure.error)
      failure = await start().then(
        () => undefined,
        (error) => ({ error }),
      )
      if (failure === undefined) return
    }
  }

  /** What was handed over before is taken before the worker hears of its end. */
  async function finish(worker: PoolWorker, how: Finish['finish']): Promise<void> {
    if (!serving.delete(worker)) return
    leaving.add(worker)
    const ended = exitOf(worker)
    worker.send({ finish: how } satisfies Finish, () => {})
    const timer = setTimeout(() => worker.kill('SIGKILL'), FINISH_MS)
    await ended
    clearTimeout(timer)
  }

  async function renew(old: PoolWorker): Promise<void> {
    if (closing || !serving.has(old)) return
    await start()
    await finish(old, RENEWED)
  }

  for (let missing = count; missing > 0; missing--) keepTrying(false)
  return {
    url,
    port,
    pids: () => [...serving].map(({ pid }) => pid ?? 0),
    async renew() {
      for (const old of [...serving]) await renew(old)
    },
    async close() {
      closing = true
      server.close()
      const ends = [...starting].map(async (worker) => {
        const ended = exitOf(worker)
        worker.kill('SIGKILL')
        await ended
      })
      const finished = [...serving].map((worker) => finish(worker, { drainMs: 0 }))
      await Promise.all([...ends, ...finished, ...[...leaving].map(exitOf), own.close()])
    },
  }
}

function exitOf(worker: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (worker.exitCode !== null || worker.signalCode !== null) resolve()
    else worker.once('exit', () => resolve())
  })
}
