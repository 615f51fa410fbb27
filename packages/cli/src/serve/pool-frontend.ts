/** Workers that answer for a world: each is told what to serve, and what it hands over is done here. */
import { StorageFault } from '@worldwright/server/storage'
import {
  AnswerLost,
  answerCalls,
  createCaller,
  type Pool,
  type PoolWorker,
  shareStorage,
  startPool,
} from '@worldwright/server/workers'
import type { Served, ValidatedWorld } from './compose-world.ts'
import type { Frontend, ServerDeps } from './frontend.ts'
import { hotSwapHandler } from './hot-swap-handler.ts'
import { listenFault } from './listen-at.ts'
import type { Snapshot } from './metrics.ts'

/** What a worker needs to know to begin. */
export interface WorkerConfig extends Served {
  readonly storeFile: string
  /** The address all listen at, as an origin. */
  readonly origin: string
}

const PROGRAM = import.meta.filename.replace(/pool-frontend(\.[jt]s)$/, 'worker-program$1')

/** Opens the frontend. This process answers until the first worker does, and whenever there is none. @throws ListenFault */
export async function openPoolFrontend(validated: ValidatedWorld, deps: ServerDeps): Promise<Frontend> {
  const { storage, storeFile, metrics, log } = deps
  const { host, port, workers: count } = validated.settings
  const workers = new Map<PoolWorker, ReturnType<typeof createCaller>>()
  const live = hotSwapHandler(validated.handler)
  metrics?.watchCache(live.handler.cacheStatistics)
  let { handler: _, ...served } = validated
  let departed: Snapshot = []
  let adding = Promise.resolve()
  let pool: Pool | undefined

  async function onStart(worker: PoolWorker, origin: string): Promise<void> {
    const call = createCaller(worker)
    const shared = shareStorage(storage)
    answerCalls(worker, {
      ...shared.methods,
      log,
      leaveCounts: (counts: Snapshot) => leaveCounts(worker, counts),
    })
    workers.set(worker, call)
    worker.once('exit', () => {
      workers.delete(worker)
      shared.abandon().catch(() => {})
    })
    await call('serve', { ...served, storeFile, origin } satisfies WorkerConfig)
  }

  /** One after the other; from then on the worker itself is no longer asked. */
  function leaveCounts(worker: PoolWorker, counts: Snapshot): Promise<void> {
    adding = adding.then(async () => {
      const { addedUp } = await import('./metrics.ts')
      departed = await addedUp([departed, counts])
      workers.delete(worker)
    })
    return adding
  }

  function sayReady(): void {
    const pids = pool?.pids() ?? []
    if (pids.length === count) log(`Workers ready: ${pids.join(', ')}`)
  }

  function onExit({ pid }: PoolWorker, expected: boolean): void {
    if (!expected) log(`Worker ${pid} ended unexpectedly; another takes its place.`)
    // Its successor came before it went.
    else sayReady()
  }

  try {
    pool = await startPool({
      host,
      port,
      handler: live.handler,
      count,
      program: PROGRAM,
      onStart,
      onReady: sayReady,
      onExit,
      onUnresponsive: ({ pid }) => log(`Worker ${pid} does not answer any more, and is ended.`),
      onFailure: (error) => log(`A worker could not start, and is tried again: ${error}`),
    })
  } catch (error) {
    throw listenFault(error, host, port, '--port')
  }
  const { url, close } = pool
  return {
    url,
    async replaceHandler({ handler, ...next }) {
      served = next
      live.replaceHandler(handler)
      // One that died meanwhile is replaced by one that knows already.
      const gone = (error: unknown) => {
        if (!(error instanceof StorageFault || error instanceof AnswerLost)) throw error
      }
      await Promise.all([...workers.values()].map((call) => call('replaceHandler', next).catch(gone)))
    },
    async snapshots() {
      const none = (): Snapshot => []
      const asked = [...workers.values()].map((call) => call('snapshot').catch(none) as Promise<Snapshot>)
      return [...(await Promise.all(asked)), departed]
    },
    close,
  }
}
