/** `world serve`: loads a world's sources into its store and serves it. */
import { resolve } from 'node:path'
import {
  createWorld,
  effectiveTypes,
  importRecords,
  type Listening,
  type LogEvent,
  listen,
  type Storage,
  sourceFromFile,
  type WorldDefinition,
  type WorldHandler,
  worldId,
} from '@worldwright/server'
import { type Place, placeToServe, withStore } from '../open/place.ts'
import { createWarningTally, rejectionLines } from '../terminal/import-report.ts'
import { fromEnv, type Io, UsageFault } from '../terminal/io.ts'
import { pairLines, say, styled } from '../terminal/output.ts'
import { createProgress } from '../terminal/progress.ts'
import { visible } from '../terminal/visible.ts'

/** The flags of `world serve`. */
export interface ServeOptions {
  readonly store?: string
  readonly host?: string
  readonly port?: string
  readonly publicUrl?: string
  readonly apiUrl?: string
  readonly trustProxy?: boolean
}

interface ServeSettings {
  readonly host: string
  readonly port: number
  readonly publicUrl?: string
  readonly apiUrl?: string
  readonly trustProxy: boolean
}

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 8080

/** Serves until the signal ends it, then finishes running requests and closes the store. */
export async function serve(path: string | undefined, options: ServeOptions, io: Io): Promise<number> {
  const place = await placeToServe(path, options.store, io)
  const settings = settingsFrom(options, place.definition, io)
  await withStore(place.storeFile, async (storage) => {
    const id = await worldId(place.definition, storage)
    if (!(await loadSources(place, storage, io))) return
    const handler = handlerOf(id, place.definition, storage, settings, io)
    const listening = await listenAt(handler, settings)
    await greet(place, storage, settings.publicUrl ?? listening.url, io)
    await ended(io.signal)
    say(io, 'Stopping.')
    await listening.close()
  })
  return 0
}

/** A flag wins over the environment, and that over the definition. */
function settingsFrom(options: ServeOptions, definition: WorldDefinition, io: Io): ServeSettings {
  const host = options.host ?? fromEnv(io, 'WORLD_HOST') ?? definition.host ?? DEFAULT_HOST
  const publicUrl = options.publicUrl ?? fromEnv(io, 'WORLD_PUBLIC_URL') ?? definition.publicUrl
  const apiUrl = options.apiUrl ?? fromEnv(io, 'WORLD_API_URL') ?? definition.apiUrl
  const trustProxy = options.trustProxy ?? truth(io, 'WORLD_TRUST_PROXY') ?? definition.trustProxy ?? false
  if (!isLoopback(host) && publicUrl === undefined && !trustProxy) {
    throw new UsageFault(
      `Listening on ${host}, others can reach this world, and it has to know the address they use: ` +
        '--public-url URL, or --trust-proxy behind a proxy that names it.',
    )
  }
  return {
    host,
    port: portFrom(options.port ?? fromEnv(io, 'WORLD_PORT')) ?? definition.port ?? DEFAULT_PORT,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(apiUrl !== undefined && { apiUrl }),
    trustProxy,
  }
}

function portFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text)
  throw new UsageFault(`--port is a whole number from 0 to 65535; this is ${text}`)
}

function truth(io: Io, name: string): boolean | undefined {
  const text = fromEnv(io, name)
  if (text === undefined) return undefined
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw new UsageFault(`${name} is true or false; this is ${text}`)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** False where the signal came first: then nothing was loaded and there is nothing to serve. */
async function loadSources({ definition, folder }: Place, storage: Storage, io: Io): Promise<boolean> {
  if (definition.sources.length === 0) return !io.signal.aborted
  const progress = createProgress(io)
  const warnings = createWarningTally()
  const sources = []
  for (const { file, type } of definition.sources) {
    sources.push({ source: await sourceFromFile(resolve(folder, file), file), type })
  }
  try {
    const result = await importRecords(storage, sources, {
      replace: true,
      onProgress: progress.show,
      onWarning: warnings.note,
      signal: io.signal,
    })
    progress.end()
    for (const line of [...rejectionLines(result), ...warnings.lines()]) say(io, line)
    return true
  } catch (error) {
    progress.end()
    if (io.signal.aborted) return false
    throw error
  }
}

function handlerOf(
  id: string,
  definition: WorldDefinition,
  storage: Storage,
  { publicUrl, apiUrl, trustProxy }: ServeSettings,
  io: Io,
): WorldHandler {
  const { name, description } = definition
  const world = {
    id,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    types: () => effectiveTypes(definition, storage),
  }
  const log = ({ event, method, target, requestId, error }: LogEvent) => {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    say(io, `${event}: ${visible(`${method} ${target}`)} (request ${requestId})\n${why}`)
  }
  try {
    return createWorld(world, storage, {
      ...(publicUrl !== undefined && { publicUrl }),
      ...(apiUrl !== undefined && { apiUrl }),
      trustProxy,
      log,
    })
  } catch (error) {
    // An option that cannot work; its message names it.
    if (error instanceof TypeError) throw new UsageFault(error.message)
    throw error
  }
}

async function listenAt(handler: WorldHandler, { host, port }: ServeSettings): Promise<Listening> {
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

async function greet({ definition }: Place, storage: Storage, url: string, io: Io): Promise<void> {
  const counts = await storage.versions()
  say(io, styled(io.stderr, 'bold', visible(definition.name ?? 'A world without a name')))
  const rows = (await effectiveTypes(definition, storage)).map(
    ({ type }) => [type, (counts.get(type)?.count ?? 0).toLocaleString('en')] as const,
  )
  for (const line of pairLines(io.stderr, rows)) say(io, `  ${line}`)
  say(io, `Serving at ${styled(io.stderr, 'cyan', url)} until Ctrl-C.`)
  say(io, `Read it:   npx worldwright show ${url}`)
}

async function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
