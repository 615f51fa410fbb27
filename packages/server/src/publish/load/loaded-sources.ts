/** What a store was last loaded from: so that unchanged sources are not read again, and others' writes are noticed. */
import { createHash, hash } from 'node:crypto'
import type { Notes, Storage, TypeState } from '../../storage/contract.ts'
import type { WorldDefinition } from '../definition/definition.ts'
import type { OnInvalid } from '../definition/settings.ts'
import { type PathOptions, type RecordSource, SourceFault, sourcesFromPath } from '../read/record-source.ts'
import type { Loaded } from './options.ts'

/** The metadata that holds it. */
const METADATA_KEY = 'sources'

/** Changes when the same files would be read into other entities. */
const READER_VERSION = 1

/** Digests of all that entities are made from. */
export interface Fingerprint {
  /** What the definition says of the sources and their types. */
  readonly definition: string
  /** The files, byte for byte. */
  readonly files: string
}

/** The last load of a definition's sources. */
export interface LoadedSources {
  readonly fingerprint: Fingerprint
  /**
   * The versions that the types of the sources had right after it. A type that others had written before has the version
   * it had when it last was the sources' alone, empty where it never was: it stays theirs as well.
   */
  readonly versions: Readonly<Record<string, string>>
  readonly rejected: number
}

/** What was loaded last; undefined where nothing was. */
export async function loadedSources(storage: Storage): Promise<LoadedSources | undefined> {
  const text = await storage.metadata(METADATA_KEY)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Keeps what was loaded with the load itself. */
export function loadedNotes(
  fingerprint: Fingerprint,
  before: LoadedSources | undefined,
  { replaced, spared, kept, loaded: records, rejected }: Loaded,
): Notes {
  return ({ versions }) => {
    const states = versions()
    const now = (type: string) => [type, states.get(type)?.version ?? ''] as const
    const ours = [...replaced, ...spared].map(now)
    // Where nothing is there but what was loaded, the type is the sources' alone again.
    const isOurs = (type: string) => states.get(type)?.count === records.get(type)
    const shared = kept.map((type) =>
      isOurs(type) ? now(type) : ([type, before?.versions[type] ?? ''] as const),
    )
    const loaded: LoadedSources = {
      fingerprint,
      versions: Object.fromEntries([...ours, ...shared]),
      rejected,
    }
    return { [METADATA_KEY]: JSON.stringify(loaded) }
  }
}

/** The types with entities that somebody else has written, before they were loaded or since. */
export function touchedTypes(
  states: ReadonlyMap<string, TypeState>,
  before: LoadedSources | undefined,
): Set<string> {
  const touched = [...states].filter(
    ([type, { count, version }]) => count > 0 && version !== before?.versions[type],
  )
  return new Set(touched.map(([type]) => type))
}

/**
 * Digests of everything that entities are made from.
 * @throws SourceFault where a source is not there.
 */
export async function fingerprintOf(
  definition: WorldDefinition,
  sources: readonly RecordSource[],
  onInvalid: OnInvalid,
): Promise<Fingerprint> {
  const schemas = definition.types.map(({ type, schema }) => ({ type, schema }))
  const reading = JSON.stringify([READER_VERSION, definition.sources, schemas, onInvalid])
  const read = digested(sources)
  for (const { bytes } of read.sources) for await (const _ of bytes);
  return { definition: hash('sha256', reading, 'base64url'), files: read.digest() ?? '' }
}

/**
 * Sources that are digested while they are read, one after the other: `digest` is that of what was read, as in a
 * fingerprint; undefined where not all of it was.
 */
export function digested(sources: readonly RecordSource[]) {
  const files = createHash('sha256')
  let unread = sources.length
  async function* bytesOf({ name, bytes }: RecordSource): AsyncGenerator<Uint8Array> {
    files.update(`\0${name}\0`)
    for await (const chunk of bytes) {
      files.update(chunk)
      yield chunk
    }
    unread -= 1
  }
  return {
    sources: sources.map((source): RecordSource => ({ ...source, bytes: bytesOf(source) })),
    digest: () => (unread === 0 ? files.copy().digest('base64url') : undefined),
  }
}

/**
 * The files of a definition's sources, folders taken apart, in order; each with the source that names it. `except`:
 * files that are none, where a folder holds them.
 * @throws SourceFault where one is missing, or no file: it is read more than once.
 */
export async function definedSources(
  definition: WorldDefinition,
  resolvePath: (file: string) => string,
  { except = [] }: Pick<PathOptions, 'except'> = {},
) {
  const found = await Promise.all(
    definition.sources.map(async (defined) => {
      const sources = await sourcesFromPath(resolvePath(defined.file), defined.file, { except })
      return sources.map((source) => ({ defined, source }))
    }),
  )
  const files = found.flat()
  const other = files.find(({ source }) => source.size === undefined)
  if (other) throw new SourceFault(`${other.source.name}: this is no file, and a source has to be one.`)
  return files
}
