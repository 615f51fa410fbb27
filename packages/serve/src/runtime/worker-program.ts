/** The program of a worker: composes the world it is given, and hands writes and searches to the primary. */

import { stack } from '@worldwright/core/store'
import { openStore } from '@worldwright/engines'
import type { DownloadFile, DownloadFiles, NoFile } from '@worldwright/extensions/downloads'
import { NEVER_CAUGHT_UP, type ReplicaStatus } from '@worldwright/extensions/replica'
import { connectionLimitFor, rateLimitFor } from '../limits/limits-for.ts'
import type { Uses } from '../limits/rate-limit.ts'
import { createLog } from '../log/log.ts'
import type { Failure } from '../log/repeated-failures.ts'
import { openExplorer } from '../open/explorer-files.ts'
import { answerCalls, type Caller, type Channel, createCaller } from '../workers/rpc.ts'
import { createSharedStorage } from '../workers/shared-storage.ts'
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
/** The primary sends a heartbeat every five seconds: after 12 of silence, it hangs. */
const call = createCaller(channel, { silenceSeconds: 12 })
const ending = new AbortController()
// A terminal sends these to all its processes; the primary decides what follows.
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
      // If the primary is gone, no process is left to add them up.
      await deps.log.flush()
      if (metrics && process.connected) await call('leaveCounts', [await metrics.counts()])
      await live.handler.close()
      await deps.storage.close()
      if (process.connected) process.disconnect()
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

/** Returns the downloads that the primary makes and keeps for all processes. */
function downloadsOf(call: Caller): DownloadFiles {
  return {
    file: async (download) => (await call('downloadFile', [download])) as DownloadFile | NoFile,
  }
}

async function prepare(config: WorkerConfig): Promise<Serving> {
  const reader = await openStore(config.store, { role: 'reader' })
  const metrics = await metricsFor(config.settings)
  // If the primary is gone, no process is left to write it.
  const fail = (failure: Failure) => void call('logFailure', [failure]).catch(() => {})
  const log = await createLog(config.settings.logFormat, (lines) => call('logLines', [lines]), fail)
  const rateLimit = rateLimitFor(config.settings)
  rateLimit?.shareWith((uses) => void call('shareUses', [uses]).catch(() => {}))
  const damaged = new DamagedEntities((key) => void call('noteDamaged', [key]).catch(() => {}))
  const deps = {
    storage: await stack(reader, {
      writes: (reader) => createSharedStorage(reader, call),
      damage: (storage) => damaged.watch(storage),
    }),
    explorer: await openExplorer(),
    log,
    rateLimit,
    ...(metrics && { observe: metrics.observe }),
    ...(config.status && { status: () => status }),
    ...((config.settings.downloads || config.settings.pages) && { downloads: downloadsOf(call) }),
  }
  const live = hotSwapHandler(await composeWithActions(config, deps))
  metrics?.watchCache(live.handler.cacheStatistics)
  await live.handler.open()
  return { live, deps, metrics }
}
