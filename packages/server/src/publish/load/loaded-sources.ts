/** What a store was last loaded from: so that unchanged sources are not read again, and others' writes are noticed. */
import type { MetadataRecord, Storage, TypeState } from '../../storage/contract.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Loaded } from './options.ts'

/** The metadata that holds it. */
const METADATA_KEY = 'sources'

/** What a store keeps of the last load of a definition's sources. */
interface LoadRecord {
  readonly fingerprint: Fingerprint
  /** The versions that the types of the sources had right before it, which it was conditional on. */
  readonly versions: Readonly<Record<string, string>>
  /** Of types that others had written before: how many entities were loaded. */
  readonly shared?: Readonly<Record<string, number>>
  readonly rejected: number
}

/** The last load of a definition's sources. */
export interface LoadedSources extends LoadRecord {
  /** The version that it gave to the types that it changed. */
  readonly version: string
}

/** What was loaded last; undefined where nothing was. */
export async function loadedSources(storage: Storage): Promise<LoadedSources | undefined> {
  const kept = await storage.metadata(METADATA_KEY)
  if (kept === undefined) return undefined
  const record: LoadRecord = JSON.parse(kept.value)
  return { ...record, version: kept.version }
}

/** What to keep with a load, so that the next one knows of it. */
export function loadMetadata(
  fingerprint: Fingerprint,
  { replaced, skipped, kept, loaded: counts, rejected, versions }: Loaded,
): MetadataRecord {
  const types = [...replaced, ...skipped, ...kept]
  const record: LoadRecord = {
    fingerprint,
    versions: Object.fromEntries(types.map((type) => [type, versions.get(type) ?? ''])),
    shared: Object.fromEntries(kept.map((type) => [type, counts.get(type) ?? 0])),
    rejected,
  }
  return { [METADATA_KEY]: JSON.stringify(record) }
}

/**
 * Whether nobody but the last load wrote a type: it has the version that the load met or gave, and, where others had
 * written it before, nothing is there but what was loaded.
 */
export function isOnlyLoaded(
  type: string,
  { count, version }: TypeState,
  { versions, shared, version: given }: LoadedSources,
): boolean {
  if (!Object.hasOwn(versions, type) || (version !== versions[type] && version !== given)) return false
  return shared?.[type] === undefined || shared[type] === count
}

/** The types with entities that somebody else has written, before they were loaded or since. */
export function touchedTypes(
  states: ReadonlyMap<string, TypeState>,
  before: LoadedSources | undefined,
): Set<string> {
  const touched = [...states].filter(
    ([type, state]) => state.count > 0 && !(before && isOnlyLoaded(type, state, before)),
  )
  return new Set(touched.map(([type]) => type))
}
