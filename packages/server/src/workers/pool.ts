/**
 * Workers behind one port: started together, replaced when one dies, and renewed one by one without losing a request.
 * The primary accepts connections and hands them out (`node:cluster`, round robin).
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** What the pool runs. */
export interface PoolOptions {
  readonly count: number
  /** The program of a worker and its arguments. */
  readonly program: string
  readonly args?: readonly string[]
  /** Called for every new worker, before it can have sent anything. */
  readonly welcome?: (worker: Worker) => void
  /** Called when a worker listens. */
  readonly arrived?: (worker: Worker) => void
  /** Called when a worker has gone; `expected` where the pool asked it to. */
  readonly farewell?: (worker: Worker, expected: boolean) => void
}

/** Running workers. */
export interface Pool {
  /** Where they all listen. */
  readonly port: number
  /** Process ids of those that serve now. */
  pids(): number[]
  /** Renews every worker, one after the other: the new one listens before the old one stops taking connections. */
  renew(): Promise<void>
  /** Lets all finish what they do, and ends them. */
  close(): Promise<void>
}

/** The message by which a worker learns that it shall finish and go. */
export const FINISH = 'finish'

/** A worker that dies sooner than this after its start is not replaced at once: the next would only die as well. */
const HEALTHY_MS = 1_000

/**
 * Starts the workers and waits until all listen.
 * @throws Error where a worker ends before it listens; what it said stands on stderr.
 */
export async function startPool(options: PoolOptions): Promise<Pool> {
  cluster.setupPrimary({ exec: options.program, args: [...(options.args ?? [])], silent: false })
  const serving = new Set<Worker>()
  const leaving = new Set<Worker>()
  let closing = false

  async function start(): Promise<{ worker: Worker; port: number }> {
    const worker = cluster.fork()
    const startedAt = performance.now()
    options.welcome?.(worker)
    worker.on('exit', () => {
      const expected = leaving.delete(worker)
      const served = serving.delete(worker)
      options.farewell?.(worker, expected)
      if (served && !expected) replace(performance.now() - startedAt)
    })
    const port = await listening(worker)
    serving.add(worker)
    options.arrived?.(worker)
    return { worker, port }
  }

  async function replace(lived: number): Promise<void> {
    for (let wait = lived < HEALTHY_MS; !closing; wait = true) {
      if (wait) await pause(HEALTHY_MS, undefined, { ref: false })
      const started = await start().catch(() => undefined)
      if (started !== undefined) return
    }
  }

  async function finish(worker: Worker): Promise<void> {
    if (worker.isDead()) return
    leaving.add(worker)
    const gone = once(worker, 'exit')
    worker.send(FINISH)
    await gone
  }

  const first = await Promise.all(Array.from({ length: options.count }, start))
  return {
    port: first[0]?.port ?? 0,
    pids: () => [...serving].map((worker) => worker.process.pid ?? 0),
    async renew() {
      for (const old of [...serving]) {
        await start()
        await finish(old)
      }
    },
    async close() {
      closing = true
      await Promise.all([...serving].map(finish))
    },
  }
}

async function listening(worker: Worker): Promise<number> {
  const ended = once(worker, 'exit').then(() => {
    throw new Error('a worker ended before it listened')
  })
  const [address] = (await Promise.race([once(worker, 'listening'), ended])) as [{ port: number }]
  return address.port
}
