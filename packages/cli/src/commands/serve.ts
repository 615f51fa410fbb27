/** `world serve`: loads a world's sources into its store, serves it, and loads them again when they change. */
import { resolve } from 'node:path'
import {
  createSearchProcess,
  effectiveTypes,
  hasTokens,
  ImportRefused,
  type Listening,
  listen,
  type Route,
  type Storage,
  searchingIn,
  type WorldHandler,
  worldId,
} from '@worldwright/server'
import { explorerRoutes } from '../open/explorer.ts'
import { type Place, placeToServe, withStore } from '../open/place.ts'
import { type SettingFlags, type Settings, settingsFrom } from '../open/settings.ts'
import { composeWorld } from '../serve/compose-world.ts'
import { loadSources } from '../serve/load-sources.ts'
import { watchFiles } from '../serve/watch.ts'
import { rejectionLines } from '../terminal/import-report.ts'
import { type Io, UsageFault } from '../terminal/io.ts'
import { pairLines, say, styled } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'

/** The flags of `world serve`: those of all settings. */
export type ServeOptions = SettingFlags & { readonly store?: string }

/** Serves until the signal ends it, then finishes running requests and closes the store. */
export async function serve(path: string | undefined, options: ServeOptions, io: Io): Promise<number> {
  const place = await placeToServe(path, options.store, io)
  const settings = settingsFrom(place.definition, options, io)
  refuseUnnamed(settings)
  await withStore(place.storeFile, async (opened) => {
    const id = await worldId(place.definition, opened)
    if (!(await firstLoad(place, opened, settings, io))) return
    const searcher = createSearchProcess(place.storeFile)
    const storage = searchingIn(opened, searcher)
    const explorer = await explorerRoutes()
    const live = liveWorld(id, place, storage, settings, explorer ?? [], io)
    const listening = await listenAt(live.handler, settings)
    const watch =
      settings.watch && place.file !== undefined
        ? watchFiles(watchedPaths(place), async () => {
            const now = await reload(place, options, storage, live, settings, io)
            if (now) watch?.paths(watchedPaths(now))
          })
        : undefined
    await greet(place, storage, settings, settings.publicUrl ?? listening.url, explorer !== undefined, io)
    // Started before the first visitor needs it, and not waited for.
    Promise.resolve(storage.search({ limit: 0, budgetMs: 0 })).catch(() => {})
    await ended(io.signal)
    say(io, 'Stopping.')
    await watch?.close()
    await listening.close()
    searcher.close()
  })
  return 0
}

function refuseUnnamed({ host, publicUrl, trustProxy }: Settings): void {
  if (isLoopback(host) || publicUrl !== undefined || trustProxy) return
  throw new UsageFault(
    `Listening on ${host}, others can reach this world, and it has to know the address they use: ` +
      '--public-url URL, or --trust-proxy behind a proxy that names it.',
  )
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** False where the signal came first: then nothing was loaded and there is nothing to serve. */
async function firstLoad(place: Place, storage: Storage, settings: Settings, io: Io): Promise<boolean> {
  try {
    io.signal.throwIfAborted()
    await loadSources(place, storage, settings, io)
    return true
  } catch (error) {
    if (io.signal.aborted) return false
    throw error
  }
}

/** A handler that can be exchanged under the sockets that use it. */
interface LiveWorld {
  readonly handler: WorldHandler
  exchange(place: Place, settings: Settings): void
}

function liveWorld(
  id: string,
  place: Place,
  storage: Storage,
  settings: Settings,
  routes: readonly Route[],
  io: Io,
): LiveWorld {
  const compose = ({ definition }: Place, current: Settings) =>
    composeWorld(id, definition, storage, current, routes, io)
  let handler = compose(place, settings)
  return {
    handler: {
      handle: (request) => handler.handle(request),
      cacheStatistics: () => handler.cacheStatistics(),
    },
    exchange(next, current) {
      handler = compose(next, current)
    },
  }
}

/** Reads definition and sources again. Where anything in them is broken, what is served stays, and it is said why. */
async function reload(
  place: Place,
  options: ServeOptions,
  storage: Storage,
  live: LiveWorld,
  settings: Settings,
  io: Io,
): Promise<Place | undefined> {
  try {
    const next = await placeToServe(place.file, options.store, io)
    const { host, port } = settings
    const wanted = settingsFrom(next.definition, options, io)
    await worldId(next.definition, storage)
    await loadSources({ ...next, storeFile: place.storeFile }, storage, wanted, io, true)
    live.exchange(next, wanted)
    say(io, styled(io.stderr, 'green', 'Loaded again; serving what the files say now.'))
    if (wanted.host !== host || wanted.port !== port || next.storeFile !== place.storeFile)
      say(io, 'Host, port and store are as they were at the start; start again to change them.')
    return next
  } catch (error) {
    if (io.signal.aborted) return undefined
    say(
      io,
      styled(io.stderr, ['bold', 'red'], 'NOT LOADED: the files are broken; serving what they said before.'),
    )
    const lines = error instanceof ImportRefused ? rejectionLines(error) : [(error as Error).message]
    for (const line of lines.flatMap((text) => text.split('\n'))) say(io, `  ${visible(line)}`)
    return undefined
  }
}

function watchedPaths({ file, folder, definition }: Place): string[] {
  return [
    ...(file === undefined ? [] : [file]),
    ...definition.sources.map((source) => resolve(folder, source.file)),
  ]
}

async function listenAt(handler: WorldHandler, { host, port }: Settings): Promise<Listening> {
  try {
    return await listen(handler, { host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const said = code === undefined ? undefined : LISTEN_FAULTS[code]?.(host, port)
    throw said === undefined
      ? error
      : Object.assign(new Error(said, { cause: error }), { name: 'ListenFault' })
  }
}

const LISTEN_FAULTS: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) =>
    `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`,
  EACCES: (_, port) => `Port ${port} may not be used by this user. Choose one above 1023 with --port.`,
  EADDRNOTAVAIL: (host) => `${host} is no address of this machine. Choose another with --host.`,
  ENOTFOUND: (host) => `${host} is no address of this machine. Choose another with --host.`,
}

async function greet(
  { definition }: Place,
  storage: Storage,
  settings: Settings,
  url: string,
  hasPage: boolean,
  io: Io,
): Promise<void> {
  const counts = await storage.versions()
  say(io, styled(io.stderr, 'bold', visible(definition.name ?? 'A world without a name')))
  const rows = (await effectiveTypes(definition, storage)).map(
    ({ type }) => [type, (counts.get(type)?.count ?? 0).toLocaleString('en')] as const,
  )
  for (const line of pairLines(io.stderr, rows)) say(io, `  ${line}`)
  if ((settings.operator || settings.private) && !(await hasTokens(storage)))
    say(io, 'No token exists yet, so nobody can write or read with one: npx worldwright token create')
  say(io, `Serving at ${styled(io.stderr, 'cyan', url)} until Ctrl-C.`)
  if (hasPage) say(io, `Look at it: open ${url}/ in a browser`)
  say(io, `Read it:   npx worldwright show ${url}`)
}

async function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
