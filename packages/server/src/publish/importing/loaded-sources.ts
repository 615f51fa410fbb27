/** What a store was last loaded from: so that unchanged sources are not read again, and others' writes are noticed. */
import { createHash } from 'node:crypto'
import type { Storage } from '../../storage/contract.ts'
import type { WorldDefinition } from '../definition/definition.ts'
import type { OnInvalid } from '../definition/settings.ts'
import { type RecordSource, sourcesFromPath } from '../reading/record-source.ts'

/** The metadata that holds it. */
const METADATA_KEY = 'sources'

/** Changes when the same files would be read into other entities. */
const READER_VERSION = 1

/** The last load of a definition's sources. */
export interface LoadedSources {
  readonly fingerprint: string
  /** The versions that the filled types had right after it. */
  readonly versions: Readonly<Record<string, string>>
  readonly rejected: number
}

/** What was loaded last; undefined where nothing was. */
export async function loadedSources(storage: Storage): Promise<LoadedSources | undefined> {
  const text = await storage.metadata(METADATA_KEY)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Keeps what was loaded, with the versions the types have now. */
export async function keepLoadedSources(
  storage: Storage,
  fingerprint: string,
  types: readonly string[],
  rejected: number,
): Promise<void> {
  const states = await storage.versions()
  const versions = Object.fromEntries(types.map((type) => [type, states.get(type)?.version ?? '']))
  const kept: LoadedSources = { fingerprint, versions, rejected }
  await storage.setMetadata(METADATA_KEY, JSON.stringify(kept))
}

/** The types that somebody else has written since they were loaded. */
export async function touchedTypes(storage: Storage, { versions }: LoadedSources): Promise<Set<string>> {
  const states = await storage.versions()
  return new Set(Object.keys(versions).filter((type) => states.get(type)?.version !== versions[type]))
}

/**
 * A digest of everything that entities are made from: the files, byte for byte, and what the definition says of them.
 * @throws SourceFault where a source is not there.
 */
export async function fingerprintOf(
  definition: WorldDefinition,
  sources: readonly RecordSource[],
  onInvalid: OnInvalid,
): Promise<string> {
  const digest = createHash('sha256')
  const schemas = definition.types.map(({ type, schema }) => ({ type, schema }))
  digest.update(JSON.stringify([READER_VERSION, definition.sources, schemas, onInvalid]))
  for (const { name, bytes } of sources) {
    digest.update(`\0${name}\0`)
    for await (const chunk of bytes) digest.update(chunk)
  }
  return digest.digest('base64url')
}

/** The files of a definition's sources, folders taken apart, in order; each with the source that names it. */
export async function definedSources(definition: WorldDefinition, resolvePath: (file: string) => string) {
  const found = await Promise.all(
    definition.sources.map(async (defined) =>
      (await sourcesFromPath(resolvePath(defined.file), defined.file)).map((source) => ({ defined, source })),
    ),
  )
  return found.flat()
}
