import { once } from 'node:events'
import { join } from 'node:path'
import type { Store } from '@worldwright/core/store'
import { storeAt } from '@worldwright/engines'
import { ACTIONS_FOLDER } from '@worldwright/extensions/action-files'
import { loadedSources, refreshInterval, STORIES_FOLDER, sourceFiles } from '@worldwright/publish'
import { rateLimitFor } from './limits/limits-for.ts'
import { checkLoaded } from './loading/check-loaded.ts'
import { firstLoadOf } from './loading/load.ts'
import type { Log } from './log/log.ts'
import { loggedIo } from './log/logged-io.ts'
import { openExplorer } from './open/explorer-files.ts'
import { deletionsKeptMs, logFormatFrom, shownSettings } from './open/settings.ts'
import {
  type Workspace,
  warnIfPartial,
  withOwnStore,
  withReader,
  workspaceToServe,
} from './open/workspace.ts'
import { type AdminServer, serveAdmin } from './runtime/admin-server.ts'
import type { ValidatedWorld, WorldDeps } from './runtime/compose-world.ts'
import { DamagedEntities, damageReport } from './runtime/damaged-entities.ts'
import type { Frontend } from './runtime/frontend.ts'
import { greet } from './runtime/greet.ts'
import { meaningFrom } from './runtime/meaning-from.ts'
import type { Metrics } from './runtime/metrics.ts'
import { metricsFor } from './runtime/metrics-for.ts'
import { openDownloads } from './runtime/own-downloads.ts'
import { openFrontend } from './runtime/pool-frontend.ts'
import { primaryStore } from './runtime/primary-store.ts'
import { Readiness } from './runtime/readiness.ts'
import { renewOnHangup } from './runtime/renew-on-hangup.ts'
import { nodeStatus, stateReport, tellStatus } from './runtime/replica-status.ts'
import { seedNode } from './runtime/seed-node.ts'
import {
  reload,
  type ServeContext,
  type ServeOptions,
  servingSettings,
  validate,
} from './runtime/serve-context.ts'
import { type Loading, loadingOf, loadingText } from './runtime/still-loading.ts'
import { type Watch, watchFiles } from './runtime/watch-files.ts'
import { webhooksFor } from './runtime/webhooks-for.ts'
import { reportFailure } from './terminal/failure.ts'
import { fromEnv, type Io, UsageFault } from './terminal/io.ts'
import { say } from './terminal/output.ts'

export type { ServeOptions } from './runtime/serve-context.ts'

/**
 * Serves a world and reloads sources that change until the signal aborts, then finishes running requests and closes the
 * store. All messages are logged. `failed` handles an error. The default logs the error and returns the exit code.
 */
export async function runServe(
  path: string | undefined,
  options: ServeOptions,
  plain: Io,
  failed = (error: unknown, io: Io) => reportFailure(error, io, false),
): Promise<number> {
  const { io, log } = await loggedIo(plain, logFormatFrom(options, plain))
  // Ignore SIGHUP until there are workers to renew.
  io.onHangup?.(() => {})
  try {
    return await serveLogged(path, options, io, log)
  } catch (error) {
    return failed(error, io)
  } finally {
    await log.flush()
  }
}

async function serveLogged(
  path: string | undefined,
  options: ServeOptions,
  io: Io,
  log: Log,
): Promise<number> {
  if ((options['follow'] ?? fromEnv(io, 'WORLD_FOLLOW')) !== undefined) {
    const { serveReplica } = await import('./runtime/serve-replica.ts')
    return serveReplica(path, options, io, log)
  }
  const workspace = await workspaceToServe(path, options.store, io)
  const settings = servingSettings(workspace, options, io)
  const meaning = meaningFrom(settings, workspace.folder)
  const location = await storeAt(workspace.store)
  if (settings.readOnly && location.needsWriter)
    throw new UsageFault(`readOnly works with stores in files only. Leave it out for ${location.name}.`)
  if (location.hasNoIndex && settings.search === undefined)
    throw new UsageFault(
      `A store without a replica (cache=none) has no index. Name a cluster: --search opensearch://HOST/INDEX.`,
    )
  if (settings.seed !== undefined) await seedNode(location, settings.seed, io)
  const serving = async (opened: Store) => {
    const metrics = await metricsFor(settings, log)
    const damaged = new DamagedEntities(damageReport(log))
    const { search } = settings
    const store = await primaryStore(opened, { location, metrics, meaning, search, log, damaged })
    const explorer = await openExplorer()
    const downloads = await openDownloads(settings, location, store, log)
    const deps: WorldDeps = {
      store,
      explorer,
      log,
      rateLimit: rateLimitFor(settings),
      status: nodeStatus(store),
      downloads: downloads?.files,
      ...(metrics && { observe: metrics.observe, tracing: metrics.telemetry?.extension }),
    }
    try {
      await serveWorld(
        { workspace, location, settings, options, store, damaged, deps, io },
        metrics,
        explorer !== undefined,
      )
    } finally {
      await downloads?.close()
      await metrics?.telemetry?.close()
    }
    await store.close()
  }
  if (settings.readOnly) await withReader(location.url, serving)
  else await withOwnStore(location.url, serving, { deletionsKeptMs: deletionsKeptMs(settings) })
  return 0
}

async function serveWorld(
  context: ServeContext,
  metrics: Metrics | undefined,
  hasPage: boolean,
): Promise<void> {
  const { workspace, location, settings, options, store, damaged, deps, io } = context
  const loading = settings.readOnly ? undefined : loadingOf(workspace.definition, await loadedSources(store))
  if (settings.readOnly) await warnIfPartial(store, io)
  const world = { validated: await validate(workspace, settings, { ...deps, loading }) }
  const opened = Promise.withResolvers<Frontend | undefined>()
  const closeWebhooks = await webhooksFor(context, world.validated.id, opened.promise.then(Boolean))
  const { status } = deps
  const readiness = new Readiness({
    store,
    file: location.file,
    isWritten: !settings.readOnly,
    cluster: location.hasNoIndex && store.clusterState,
    status,
    maxLag: settings.maxLag,
    loadingText: loading && (() => loadingText(loading)),
  })
  let frontend: Frontend | undefined
  const admin = await serveAdmin(settings, {
    snapshots: async () => [
      ...(metrics ? [await metrics.snapshot()] : []),
      ...((await frontend?.snapshots()) ?? []),
    ],
    readiness: () => readiness.report(),
    damaged: () => damaged.list(store),
    replica: stateReport(store.replicaState),
    cluster: stateReport(store.clusterState),
    config: () => shownSettings(world.validated.definition, options, io, workspace.file),
  })
  // Watch before the first load, so that no change is missed. Changes wait until there is a handler to replace.
  const watch = watching(context, opened.promise, world)
  try {
    frontend = await openFrontend(world.validated, {
      ...deps,
      storeUrl: workspace.store,
      metrics,
      damaged,
      // Only this process knows the progress.
      ready: loading && opened.promise,
    })
    renewOnHangup(frontend, io)
    metrics?.watchWorld(store, () => world.validated, frontend.url)
    watchNode(context, frontend, metrics)
    if (!loading) readiness.serving()
    if (!(await firstLoad(context, frontend, world, loading))) return
    readiness.serving()
    opened.resolve(frontend)
    await untilEnded(context, frontend, admin, hasPage)
  } finally {
    readiness.stopping()
    opened.resolve(undefined)
    // Close both at once: workers that the signal also reached must not be replaced while a load is still ending.
    await Promise.all([watch?.close(), frontend?.close(), closeWebhooks()])
    admin?.close()
  }
}

/** Reports the replication lag in every response and in the metrics, if this is a cluster node. */
function watchNode(
  { store: { replicaState }, deps: { status }, io }: ServeContext,
  frontend: Frontend,
  metrics: Metrics | undefined,
): void {
  if (!replicaState || !status) return
  tellStatus(status, frontend, io.signal)
  metrics?.watchLag(status)
  metrics?.watchDatabase(replicaState)
}

/** The world that is currently served. */
interface World {
  validated: ValidatedWorld
}

function watching(
  context: ServeContext,
  opened: Promise<Frontend | undefined>,
  world: World,
): Watch | undefined {
  const { workspace, location, settings } = context
  const refresh = refreshInterval(workspace.definition)
  if (settings.readOnly || workspace.file === undefined || (!settings.watch && refresh === undefined))
    return undefined
  const watchedPaths = settings.watch ? definedPaths : () => []
  const isOfStore = (path: string) => location.file !== undefined && path.startsWith(location.file)
  const watch = watchFiles(watchedPaths(workspace), isOfStore, async (why) => {
    const frontend = await opened
    if (!frontend) return 'done'
    const next = await reload(context, frontend, why)
    if (typeof next === 'string') return next
    world.validated = next
    watch.paths(watchedPaths(next.workspace))
    watch.every(refreshInterval(next.workspace.definition))
    return 'done'
  })
  watch.every(refresh)
  return watch
}

async function untilEnded(
  context: ServeContext,
  frontend: Frontend,
  admin: AdminServer | undefined,
  hasPage: boolean,
): Promise<void> {
  const { workspace, settings, store, io } = context
  const addresses = { world: settings.publicUrl ?? frontend.url, admin: admin?.url, hasPage }
  await greet(workspace, store, settings, addresses, io)
  // Start the search process before the first request needs it, without waiting.
  Promise.resolve(store.find({ limit: 0, budgetMs: 0 })).catch(() => {})
  if (!io.signal.aborted) await once(io.signal, 'abort')
  say(io, 'Stopping.')
}

/**
 * Loads the sources, while the frontend serves what was loaded before. Returns false if the signal aborted the load, so that
 * there is nothing more to serve.
 */
async function firstLoad(
  { workspace, settings, deps, io }: ServeContext,
  frontend: Frontend,
  world: World,
  loading: Loading | undefined,
): Promise<boolean> {
  const { filled: before = [] } = loading ?? {}
  const onProgress: Io['onProgress'] = (progress) => loading && Object.assign(loading, { progress })
  const onFilled: Io['onFilled'] = (types) =>
    loading && Object.assign(loading, { filled: types.length > 0 ? [...before, ...types] : [] })
  try {
    io.signal.throwIfAborted()
    if (settings.readOnly) return true
    const meanwhile = loading ? 'answers 503 for what is missing' : 'serves what was loaded before'
    if (workspace.definition.sources.length > 0)
      say(io, `Reading the sources. Until that is done, ${new URL(frontend.url).host} ${meanwhile}.`)
    const loaded = await firstLoadOf(workspace, settings, false, { ...io, onProgress, onFilled })
    if (loaded || loading) {
      world.validated = await validate(workspace, settings, deps)
      await frontend.replaceHandler(world.validated)
    }
    await checkLoaded(world.validated.stories, workspace, deps.store, io)
    return true
  } catch (error) {
    if (io.signal.aborted) return false
    throw error
  }
}

function definedPaths({ file, folder, definition }: Workspace): string[] {
  const { picture = [], logo = [] } = definition.look ?? {}
  const pictures = [picture, logo].flat().map((path) => join(folder, path))
  return [
    ...(file === undefined
      ? []
      : [file, join(folder, ACTIONS_FOLDER), join(folder, STORIES_FOLDER), ...pictures]),
    ...definition.sources.flatMap((source) => sourceFiles(source, folder)),
  ]
}
