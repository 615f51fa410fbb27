/** Worker program: serves the world that it receives, and sends writes and searches to the primary. */

import { openStore } from '@worldwright/engines'
import type { DownloadFile, DownloadFiles, NoFile } from '@worldwright/extensions/downloads'
import { NEVER_CAUGHT_UP, type ReplicaStatus } from '@worldwright/extensions/replica'
import { stack } from '../layers/stack.ts'
import { connectionLimitFor, rateLimitFor } from '../limits/limits-for.ts'
import type { Uses } from '../limits/rate-limit.ts'
import { createLog } from '../log/log.ts'
import type { Failure } from '../log/repeated-failures.ts'
import { openExplorer } from '../open/explorer-files.ts'
import { answerCalls, type Caller, type Channel, createCaller } from '../workers/rpc.ts'
import { createSharedStore } from '../workers/shared-store.ts'
import { serveAsWorker } from '../workers/worker-process.ts'
import { composeWithActions, type Served, type WorldDeps } from './compose-world.ts'
import { DamagedEntities } from './damaged-entities.ts'
import { boundOldGarbage } from './heap-options.ts'
import { type HotSwapHandler, hotSwapHandler } from './hot-swap-handler.ts'
import type { Metrics } from './metrics.ts'
import { metricsFor } from './metrics-for.ts'
import type { WorkerConfig } from './pool-frontend.ts'

boundOldGarbage()
const channel = process as unknown as Channel
/** Calls the primary. It sends a heartbeat every five seconds, so it counts as hung after 12 seconds of silence. */
const call = createCaller(channel, { silenceSeconds: 12 })
const ending = new AbortController()
// A terminal sends these signals to all its processes, but only the primary handles them.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT'] as const) process.on(signal, () => {})
process.on('SIGTERM', () => ending.abort())

/** A world that this worker serves. */
interface Serving {
  readonly live: HotSwapHandler
  readonly deps: WorldDeps
  readonly metrics: Metrics | undefined
}

let serving: Promise<Serving> | undefined
/** Replication status, if this is a replica. */
let status: ReplicaStatus = NEVER_CAUGHT_UP

answerCalls(channel, {
  async serve(config: WorkerConfig): Promise<void> {
    status = config.status ?? NEVER_CAUGHT_UP
    serving = prepare(config)
    const { live, deps, metrics } = await serving
    const { origin, settings } = config
    const limit = connectionLimitFor(settings, deps.log)
    serveAsWorker(live.handler, { origin, signal: ending.signal, ...limit }).then(async () => {
      // If the primary is gone, no process can aggregate the counts.
      await deps.log.flush()
      if (metrics && process.connected) await call('leaveCounts', [await metrics.counts()])
      await live.handler.close()
      await deps.store.close()
      await metrics?.telemetry?.close()
      if (process.connected) process.disconnect()
      // A collector that does not answer must not keep the process.
      if (metrics?.telemetry) process.exit()
    })
  },
  async replaceHandler(served: Served): Promise<void> {
    const now = await serving
    await now?.live.replaceHandler(await composeWithActions(served, now.deps))
  },
  async noteStatus(next: ReplicaStatus): Promise<void> {
    status = next
  },
  noteUses: async (uses: Uses) => (await serving)?.deps.rateLimit?.note(uses),
  snapshot: async () => (await serving)?.metrics?.snapshot() ?? [],
})

/** Returns the downloads, which the primary creates and stores for all processes. */
function downloadsOf(call: Caller): DownloadFiles {
  return {
    file: async (download) => (await call('downloadFile', [download])) as DownloadFile | NoFile,
  }
}

async function prepare(config: WorkerConfig): Promise<Serving> {
  const reader = await openStore(config.store, { role: 'reader' })
  // If the primary is gone, no process can log the failure.
  const fail = (failure: Failure) => void call('logFailure', [failure]).catch(() => {})
  const log = await createLog(config.settings.logFormat, (lines) => call('logLines', [lines]), fail)
  const metrics = await metricsFor(config.settings, log)
  // An unhandled rejection in one action must not end the requests of others.
  process.on('unhandledRejection', (reason) => {
    const error = reason instanceof Error ? (reason.stack ?? '') : String(reason)
    log.fail({
      event: 'unhandled_rejection',
      text: 'A promise that nobody awaits was rejected',
      error,
      count: 1,
    })
  })
  const rateLimit = rateLimitFor(config.settings)
  rateLimit?.shareWith((uses) => void call('shareUses', [uses]).catch(() => {}))
  const damaged = new DamagedEntities((key) => void call('noteDamaged', [key]).catch(() => {}))
  const deps = {
    store: await stack(reader, {
      writes: (reader) => createSharedStore(reader, call),
      spans: metrics?.telemetry?.spans,
      damage: (store) => damaged.watch(store),
    }),
    explorer: await openExplorer(),
    log,
    rateLimit,
    ...(metrics && { observe: metrics.observe, tracing: metrics.telemetry?.extension }),
    ...(config.status && { status: () => status }),
    ...((config.settings.downloads || config.settings.pages) && { downloads: downloadsOf(call) }),
  }
  const live = hotSwapHandler(await composeWithActions(config, deps))
  metrics?.watchCache(live.handler.cacheStatistics)
  await live.handler.open()
  return { live, deps, metrics }
}
