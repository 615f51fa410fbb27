/** Frontend of a world that is served by workers, which send writes and searches to the primary. */

import { type EntityKey, StoreFault } from '@worldwright/core/store'
import type { Download } from '@worldwright/extensions/downloads'
import type { ReplicaStatus } from '@worldwright/extensions/replica'
import type { Uses } from '../limits/rate-limit.ts'
import { AnswerLost, answerCalls, type Caller, createCaller } from '../workers/rpc.ts'
import { shareStore } from '../workers/shared-store.ts'
import { type PoolWorker, startWorkerPool, type WorkerPool } from '../workers/worker-pool.ts'
import type { Served, ValidatedWorld } from './compose-world.ts'
import type { Frontend, ServerDeps } from './frontend.ts'
import { hotSwapHandler } from './hot-swap-handler.ts'
import { listenFault } from './listen-at.ts'
import type { Snapshot } from './metrics.ts'
import { openOwnFrontend } from './own-frontend.ts'

/** Configuration sent to each worker. */
export interface WorkerConfig extends Served {
  /** URL of the store. */
  readonly store: string
  /** Origin at which the workers listen. */
  readonly origin: string
  /** Replication status, if this is a replica. */
  readonly status?: ReplicaStatus
}

const PROGRAM = import.meta.filename.replace(/pool-frontend(\.[jt]s)$/, 'worker-program$1')

/** Opens the frontend of a world. The primary serves requests itself while there is no worker. @throws ListenFault */
export async function openFrontend(world: ValidatedWorld, deps: ServerDeps): Promise<Frontend> {
  if (world.settings.workers === 1) return openOwnFrontend(world, deps)
  const frontend = new PoolFrontend(world, deps)
  await frontend.open(world)
  return frontend
}

class PoolFrontend implements Frontend {
  readonly #deps: ServerDeps
  readonly #live: ReturnType<typeof hotSwapHandler>
  /** Callers of the workers that are connected. */
  readonly #callers = new Map<PoolWorker, Caller>()
  /** Final counts of exited workers. */
  #departed: Snapshot = []
  #adding = Promise.resolve()
  #served: Served
  #pool: WorkerPool | undefined

  constructor({ handler, ...served }: ValidatedWorld, deps: ServerDeps) {
    this.#deps = deps
    this.#served = served
    this.#live = hotSwapHandler(handler)
    deps.metrics?.watchCache(this.#live.handler.cacheStatistics)
    deps.rateLimit?.shareWith((uses) => this.#callAll('noteUses', uses))
  }

  get url(): string {
    return this.#pool?.url ?? ''
  }

  async open({ settings: { host, port, workers: count } }: ValidatedWorld): Promise<void> {
    const { log, ready } = this.#deps
    await this.#live.handler.open()
    try {
      this.#pool = await startWorkerPool({
        host,
        port,
        handler: this.#live.handler,
        count,
        ready,
        program: PROGRAM,
        onStart: (worker, origin) => this.#configure(worker, origin),
        onReady: () => this.#sayReady(count),
        onExit: ({ pid }, expected) => {
          if (!expected) log.report('warn', `Worker ${pid} ended unexpectedly; another takes its place.`)
          // The replacement was ready before this worker exited.
          else this.#sayReady(count)
        },
        onUnresponsive: ({ pid }) =>
          log.report('warn', `Worker ${pid} does not respond. Another one replaces it.`),
        onFailure: (error) => log.report('warn', `A worker could not start; trying again. ${error}`),
      })
    } catch (error) {
      throw listenFault(error, host, port)
    }
  }

  async replaceHandler({ handler, ...served }: ValidatedWorld): Promise<void> {
    this.#served = served
    await this.#live.replaceHandler(handler)
    await this.#callAll('replaceHandler', served)
  }

  async noteStatus(status: ReplicaStatus): Promise<void> {
    await this.#callAll('noteStatus', status)
  }

  async snapshots(): Promise<readonly Snapshot[]> {
    const none = (): Snapshot => []
    const asked = [...this.#callers.values()].map((call) => call('snapshot').catch(none) as Promise<Snapshot>)
    return [...(await Promise.all(asked)), this.#departed]
  }

  async renew(): Promise<void> {
    await this.#pool?.renew()
  }

  async close(): Promise<void> {
    await this.#pool?.close()
    await this.#live.handler.close()
  }

  async #callAll(method: string, value: unknown, except?: PoolWorker): Promise<void> {
    // If a worker has died meanwhile, its replacement starts with the new value.
    const gone = (error: unknown) => {
      if (!(error instanceof StoreFault || error instanceof AnswerLost)) throw error
    }
    const others = [...this.#callers].filter(([worker]) => worker !== except)
    await Promise.all(others.map(([, call]) => call(method, [value]).catch(gone)))
  }

  async #configure(worker: PoolWorker, origin: string): Promise<void> {
    const { store, storeUrl, log, status, rateLimit, damaged, downloads } = this.#deps
    const call = createCaller(worker)
    const shared = shareStore(store)
    answerCalls(worker, {
      ...shared.methods,
      logLines: log.pass,
      logFailure: log.fail,
      downloadFile: (download: Download) => downloads?.file(download),
      noteDamaged: async (key: EntityKey) => damaged.note(key),
      shareUses: async (uses: Uses) => {
        rateLimit?.note(uses)
        await this.#callAll('noteUses', uses, worker)
      },
      leaveCounts: (counts: Snapshot) => this.#addCounts(worker, counts),
    })
    this.#callers.set(worker, call)
    worker.once('exit', () => {
      this.#callers.delete(worker)
      shared.abandon().catch(() => {})
    })
    const config: WorkerConfig = {
      ...this.#served,
      store: storeUrl,
      origin,
      ...(status && { status: status() }),
    }
    await call('serve', [config])
  }

  /** Adds the final counts of a worker, which is not queried afterwards. Concurrent calls are serialized. */
  #addCounts(worker: PoolWorker, counts: Snapshot): Promise<void> {
    this.#adding = this.#adding.then(async () => {
      const { addedUp } = await import('./metrics.ts')
      this.#departed = await addedUp([this.#departed, counts])
      this.#callers.delete(worker)
    })
    return this.#adding
  }

  #sayReady(count: number): void {
    const pids = this.#pool?.pids() ?? []
    if (pids.length === count) this.#deps.log.report('info', `Workers ready: ${pids.join(', ')}`)
  }
}
