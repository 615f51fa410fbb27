/** Sources read by an import, from a definition or a command line. */
import { resolve } from 'node:path'
import { SourceFault } from '../bytes/source-fault.ts'
import { DATABASE_KINDS, type DatabaseKind } from '../databases/database.ts'
import { DatabaseSession, type LoadedTable } from '../databases/database-source.ts'
import type { InEnvironment } from '../databases/server-address.ts'
import type { DatabaseSource, FileSource, Source, WorldDefinition } from '../definition/definition.ts'
import { definitionFiles, type RecordSource, sourcesFromPath } from '../input/record-source.ts'
import { neededColumns } from '../mapping/mapping.ts'
import { attachedPaths } from './attached.ts'
import type { SourceToRead } from './events.ts'
import { joinedFiles } from './joins.ts'
import type { ImportSource } from './options.ts'
import { isRejectedList, unlisted } from './rejected-records.ts'

/** A definition and its paths, as `readDefinition` returns them. */
export interface DefinedWorld extends InEnvironment {
  readonly definition: WorldDefinition
  /** Absolute path of the folder to which paths in the definition are relative. */
  readonly folder: string
  /** Absolute path of the definition, which is not a source even if it is in a folder of sources. */
  readonly file?: string
}

/**
 * Returns a definition's sources in order, with folders expanded to their files. A database is opened when it is first read,
 * and all its sources see the same snapshot. The caller must close the sources with `closeSources`.
 * @throws SourceFault if a file is missing or is not a regular file, since files are read more than once
 */
export async function definedSources(world: DefinedWorld): Promise<ImportSource[]> {
  const { definition, folder, file } = world
  const except = file === undefined ? [] : definitionFiles(file)
  const sessions = new Map<string, DatabaseSession>()
  const attached =
    definition.attachments === undefined ? undefined : await attachedPaths(folder, definition.attachments)
  const joined = await joinedFiles(definition.sources, folder)
  const found = await Promise.all(
    definition.sources.map(async (defined): Promise<ImportSource[]> => {
      if (!isFileSource(defined)) return [databaseSource(defined, world, sessions)]
      const sources = await sourcesFromPath(resolve(folder, defined.file), defined.file, { except })
      const other = sources.find(({ size }) => size === undefined)
      if (other) throw new SourceFault(`${other.name}: this is not a file. Name a file.`)
      return sources.map((source) => ({ ...readAs(defined), source }))
    }),
  )
  return found.flat().map((source) => ({ ...source, attached, joined }))
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Maximum timer delay, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1

/** Returns the shortest refresh interval of a definition's sources in milliseconds, or undefined if none is set. */
export function refreshInterval({ sources }: WorldDefinition): number | undefined {
  const intervals = sources.flatMap((source) => {
    if (isFileSource(source) || source.refresh === undefined) return []
    return [Number.parseInt(source.refresh, 10) * (UNIT_MS[source.refresh.slice(-1)] ?? 0)]
  })
  return intervals.length === 0 ? undefined : Math.min(LONGEST_MS, ...intervals)
}

/** Closes the resources that sources keep open. */
export async function closeSources(sources: readonly ImportSource[]): Promise<void> {
  await Promise.all(sources.map(({ source }) => source.close?.()))
}

function isFileSource(source: Source): source is FileSource {
  return 'file' in source
}

/** Returns the absolute paths from which a source is read, including joined files and the write-ahead log of a SQLite file. */
export function sourceFiles(source: Source, folder: string): string[] {
  const joined = (source.join ?? []).map(({ file }) => resolve(folder, file))
  if (isFileSource(source)) return [resolve(folder, source.file), ...joined]
  if (source.sqlite === undefined) return joined
  const file = resolve(folder, source.sqlite)
  return [file, `${file}-wal`, ...joined]
}

function databaseSource(
  defined: DatabaseSource,
  { definition, folder, environment }: DefinedWorld,
  sessions: Map<string, DatabaseSession>,
): ImportSource {
  const kind = DATABASE_KINDS.find((one) => defined[one] !== undefined) ?? 'sqlite'
  const address = defined[kind] ?? ''
  const key = `${kind} ${address}`
  const session =
    sessions.get(key) ??
    new DatabaseSession(
      { kind, address, folder, environment },
      loadedTables(definition.sources, kind, address),
    )
  sessions.set(key, session)
  const { table, query = '', type } = defined
  const source = session.source({
    wanted: table === undefined ? { query } : { table },
    columns: neededColumns(defined),
    hasId: defined.id !== undefined,
    hasReferences: defined.references !== undefined,
  })
  return { source, type, mapping: defined, format: 'ndjson' }
}

/** Returns the database tables that sources load, each as one type. */
function loadedTables(sources: readonly Source[], kind: DatabaseKind, address: string): LoadedTable[] {
  return sources.flatMap((source) => {
    if (isFileSource(source) || source[kind] !== address) return []
    const { table, type, id } = source
    // Foreign keys do not refer to generated ids.
    if (table === undefined || type === undefined || (typeof id === 'object' && 'row' in id)) return []
    return [{ table, type, id: id === undefined ? id : [id].flat() }]
  })
}

/** Files named on request, with options for reading the files that the definition does not name. */
export interface NamedFiles {
  /** Files and folders, relative to `base`, or open streams. */
  readonly files: readonly (string | RecordSource)[]
  readonly base: string
  /** Default type, for records that do not name one. */
  readonly type?: string | undefined
  readonly format?: string | undefined
  /** Absolute paths of files to skip in a folder of sources. */
  readonly except?: readonly string[]
  /** Signal that ends the reading of pipes and streams. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns sources for these files. A file named by the definition is read as defined there. Nothing is opened yet.
 * @throws SourceFault if a file is missing
 */
export async function namedSources(
  { files, base, type, format, except = [], signal }: NamedFiles,
  world?: DefinedWorld,
): Promise<ImportSource[]> {
  const { definition, folder = base, file: own } = world ?? {}
  const definedAt = (path: string) =>
    definition?.sources.filter(isFileSource).find((one) => resolve(folder, one.file) === path)
  const options = {
    except: [...(own === undefined ? [] : definitionFiles(own)), ...except],
    signal,
  }
  const found = await Promise.all(
    files.map(async (file): Promise<ImportSource[]> => {
      if (typeof file !== 'string') return [{ source: endedBy(signal, file) }]
      const path = resolve(base, file)
      const sources = await sourcesFromPath(path, file, options)
      return sources.map((source) => {
        const defined = definedAt(path) ?? definedAt(resolve(base, source.name))
        return { ...(defined && readAs(defined)), source }
      })
    }),
  )
  const all = found.flat()
  const isRead = (one: Source) =>
    all.some(({ mapping, source }) => mapping === one || isRejectedList(source.name))
  const joined = await joinedFiles((definition?.sources ?? []).filter(isRead), folder)
  return all.map((source) => ({
    ...source,
    joined,
    ...(isRejectedList(source.source.name) && { unlist: unlisted(definition) }),
    ...(type !== undefined && { type }),
    ...(format !== undefined && { format }),
  }))
}

/** Returns the sources as listed in the event `started`. */
export function announced(sources: readonly ImportSource[]): SourceToRead[] {
  return sources.map(({ source: { name, size }, mapping }) => ({
    name,
    ...(size !== undefined && { size }),
    isDefined: mapping !== undefined,
  }))
}

/** Returns the reading options of a defined source. All its files share the mapping. */
function readAs(defined: FileSource): Omit<ImportSource, 'source'> {
  return { ...defined, mapping: defined }
}

/** Returns the source with a stream that ends when the signal aborts, since more bytes may never arrive. */
function endedBy(signal: AbortSignal | undefined, source: RecordSource): RecordSource {
  return signal === undefined ? source : { ...source, bytes: bytesUntil(signal, source.bytes) }
}

async function* bytesUntil(signal: AbortSignal, bytes: AsyncIterable<Uint8Array>) {
  const chunks = bytes[Symbol.asyncIterator]()
  const aborted = Promise.withResolvers<{ readonly done: true }>()
  const abort = () => aborted.resolve({ done: true })
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), aborted.promise])
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', abort)
    // The result is not awaited, since it settles only after a chunk that may never arrive.
    Promise.resolve(chunks.return?.()).catch(() => {})
  }
}
