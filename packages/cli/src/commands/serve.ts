/** `world serve`: loads a world's sources into its store, serves it, and loads them again when they change. */
import { resolve } from 'node:path'
import type { Storage } from '@worldwright/server'
import { createSearchProcess, groupingWrites, searchingIn } from '@worldwright/server/workers'
import { load } from '../loading/load.ts'
import { explorerRoutes } from '../open/explorer.ts'
import { type Place, placeToServe, withStore } from '../open/workspace.ts'
import type { Proven, Surroundings } from '../serve/compose-world.ts'
import type { Front } from '../serve/frontend.ts'
import { greet } from '../serve/greet.ts'
import { tryPort } from '../serve/listen-at.ts'
import type { Metrics } from '../serve/metrics.ts'
import { metricsFor } from '../serve/metrics-for.ts'
import type { serveMetrics } from '../serve/metrics-server.ts'
import { openOwnFront } from '../serve/own-frontend.ts'
import { openPoolFront } from '../serve/pool-frontend.ts'
import { prove, reload, type ServeOptions, type Site, servingSettings } from '../serve/serve-context.ts'
import { type Watch, watchFiles } from '../serve/watch.ts'
import type { Io } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'

export type { ServeOptions } from '../serve/serve-context.ts'

/** Serves until the signal ends it, then finishes running requests and closes the store. */
export async function serve(path: string | undefined, options: ServeOptions, io: Io): Promise<number> {
  const place = await placeToServe(path, options.store, io)
  const settings = servingSettings(place, options, io)
  await withStore(place.storeFile, async (opened) => {
    const metrics = await metricsFor(settings)
    const storage = owned(opened, place, metrics)
    const explorer = await explorerRoutes()
    const around: Surroundings = {
      storage,
      routes: explorer ?? [],
      log: (text) => say(io, text),
      ...(metrics && { observe: metrics.observe }),
    }
    await serveSite({ place, settings, options, storage, around, io }, metrics, explorer !== undefined)
    await storage.close()
  })
  return 0
}

/** The store as the process that owns it has it: it writes for all, and searches elsewhere. */
function owned(opened: Storage, { storeFile }: Place, metrics: Metrics | undefined): Storage {
  const storage = searchingIn(groupingWrites(opened), createSearchProcess(storeFile))
  return metrics?.watchStorage(storage) ?? storage
}

async function serveSite(site: Site, metrics: Metrics | undefined, hasPage: boolean): Promise<void> {
  const { place, settings, storage, around } = site
  const world = { proven: await prove(place, settings, around) }
  await tryPorts(settings)
  const opened = Promise.withResolvers<Front | undefined>()
  // From before the first load, so that no change is missed; what is seen waits until there is something to exchange.
  const watch = watching(site, opened.promise, world)
  let front: Front | undefined
  try {
    if (!(await firstLoad(site))) return
    const open = settings.workers === 1 ? openOwnFront : openPoolFront
    front = await open(world.proven, { storage, storeFile: place.storeFile, metrics, log: around.log })
    opened.resolve(front)
    await untilEnded(site, front, world, metrics, hasPage)
  } finally {
    opened.resolve(undefined)
    // Both from now on: workers that the signal reached as well are not missed, while a load is still ending.
    await Promise.all([watch?.close(), front?.close()])
  }
}

/** Before the work of a load is done for nothing. @throws ListenFault */
async function tryPorts({ host, port, metricsPort }: Site['settings']): Promise<void> {
  await tryPort(host, port, '--port')
  if (metricsPort === undefined) return
  const { METRICS_HOST } = await import('../serve/metrics-server.ts')
  await tryPort(METRICS_HOST, metricsPort, '--metrics-port')
}

/** What is served now. */
interface World {
  proven: Proven
}

function watching(site: Site, opened: Promise<Front | undefined>, world: World): Watch | undefined {
  const { place, settings } = site
  if (!settings.watch || place.file === undefined) return undefined
  const isOfStore = (path: string) => path.startsWith(place.storeFile)
  const watch = watchFiles(watchedPaths(place), isOfStore, async () => {
    const front = await opened
    if (!front) return 'done'
    const next = await reload(site, front)
    if (typeof next === 'string') return next
    world.proven = next
    watch.paths(watchedPaths(next.place))
    return 'done'
  })
  return watch
}

async function untilEnded(
  site: Site,
  front: Front,
  world: World,
  metrics: Metrics | undefined,
  hasPage: boolean,
): Promise<void> {
  const { place, settings, storage, io } = site
  metrics?.watchWorld(storage, () => world.proven, front.url)
  const snapshots = async () => [...(metrics ? [await metrics.snapshot()] : []), ...(await front.snapshots())]
  const measured =
    settings.metricsPort === undefined ? undefined : await measuredAt(settings.metricsPort, snapshots)
  const addresses = { world: settings.publicUrl ?? front.url, metrics: measured?.url, hasPage }
  await greet(place, storage, settings, addresses, io)
  // Started before the first visitor needs it, and not waited for.
  Promise.resolve(storage.search({ limit: 0, budgetMs: 0 })).catch(() => {})
  await ended(io.signal)
  say(io, 'Stopping.')
  measured?.close()
}

async function measuredAt(port: number, snapshots: Parameters<typeof serveMetrics>[0]) {
  const { serveMetrics } = await import('../serve/metrics-server.ts')
  return serveMetrics(snapshots, port)
}

/** False where the signal came first: then nothing was loaded and there is nothing to serve. */
async function firstLoad({ place, storage, settings, io }: Site): Promise<boolean> {
  try {
    io.signal.throwIfAborted()
    await load(place, storage, settings, false, io)
    return true
  } catch (error) {
    if (io.signal.aborted) return false
    throw error
  }
}

function watchedPaths({ file, folder, definition }: Place): string[] {
  return [
    ...(file === undefined ? [] : [file]),
    ...definition.sources.map((source) => resolve(folder, source.file)),
  ]
}

async function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
