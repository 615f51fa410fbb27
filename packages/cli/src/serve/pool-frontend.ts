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
import type { Proven, Served } from './compose-world.ts'
import type { Behind, Front } from './frontend.ts'
import { liveWorld } from './hot-swap-handler.ts'
import { listenFault } from './listen-at.ts'
import type { Snapshot } from './metrics.ts'

/** What a worker needs to know to begin. */
export interface Briefing extends Served {
  readonly storeFile: string
  /** The address all listen at, as an origin. */
  readonly origin: string
}

const PROGRAM = import.meta.filename.replace(/pool-frontend(\.[jt]s)$/, 'worker-program$1')

/** Opens the front. This process answers until the first worker does, and whenever there is none. @throws ListenFault */
export async function openPoolFront(proven: Proven, behind: Behind): Promise<Front> {
  const { storage, storeFile, metrics, log } = behind
  const { host, port, workers: count } = proven.settings
  const crew = new Map<PoolWorker, ReturnType<typeof createCaller>>()
  const live = liveWorld(proven.handler)
  metrics?.watchCache(live.handler.cacheStatistics)
  let { handler: _, ...served } = proven
  let departed: Snapshot = []
  let adding = Promise.resolve()
  let pool: Pool | undefined

  async function welcome(worker: PoolWorker, origin: string): Promise<void> {
    const call = createCaller(worker)
    const shared = shareStorage(storage)
    answerCalls(worker, {
      ...shared.methods,
      log,
      leaveCounts: (counts: Snapshot) => leaveCounts(worker, counts),
    })
    crew.set(worker, call)
    worker.once('exit', () => {
      crew.delete(worker)
      shared.abandon().catch(() => {})
    })
    await call('serve', { ...served, storeFile, origin } satisfies Briefing)
  }

  /** One after the other; from then on the worker itself is no longer asked. */
  function leaveCounts(worker: PoolWorker, counts: Snapshot): Promise<void> {
    adding = adding.then(async () => {
      const { addedUp } = await import('./metrics.ts')
      departed = await addedUp([departed, counts])
      crew.delete(worker)
    })
    return adding
  }

  function sayReady(): void {
    const pids = pool?.pids() ?? []
    if (pids.length === count) log(`Workers ready: ${pids.join(', ')}`)
  }

  function farewell({ pid }: PoolWorker, expected: boolean): void {
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
      welcome,
      arrived: sayReady,
      farewell,
      silent: ({ pid }) => log(`Worker ${pid} does not answer any more, and is ended.`),
      failed: (error) => log(`A worker could not start, and is tried again: ${error}`),
    })
  } catch (error) {
    throw listenFault(error, host, port, '--port')
  }
  const { url, close } = pool
  return {
    url,
    async exchange({ handler, ...next }) {
      served = next
      live.exchange(handler)
      // One that died meanwhile is replaced by one that knows already.
      const gone = (error: unknown) => {
        if (!(error instanceof StorageFault || error instanceof AnswerLost)) throw error
      }
      await Promise.all([...crew.values()].map((call) => call('exchange', next).catch(gone)))
    },
    async snapshots() {
      const none = (): Snapshot => []
      const asked = [...crew.values()].map((call) => call('snapshot').catch(none) as Promise<Snapshot>)
      return [...(await Promise.all(asked)), departed]
    },
    close,
  }
}
