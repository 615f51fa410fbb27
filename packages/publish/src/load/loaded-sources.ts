/** Record of the last load into a store, used to skip unchanged sources and to detect writes by other writers. */
import { type NamedValues, namedValue, type Store, type TypeState } from '@worldwright/core/store'
import type { Kept } from './doubts.ts'
import type { Fingerprint } from './fingerprint.ts'

/** Record of a source that was loaded. */
export interface SourceRecord {
  readonly name: string
  /** Types of its entities, and its default type. */
  readonly types: readonly string[]
  /** Digest of all data from which it was read, absent if it must be read again: a record was rejected, or there was none. */
  readonly digest?: string
}

/** Metadata key of the load record. */
const METADATA_KEY = 'sources'

/** A store's record of the last load of a definition's sources. */
interface LoadRecord {
  readonly fingerprint: Fingerprint
  /** Versions of the sources' types right before the load. If it left a type alone, that is the version it still has. */
  readonly versions: Readonly<Record<string, string>>
  /** Sources of the definition, absent if an older release loaded them. */
  readonly read?: readonly SourceRecord[]
  readonly rejected: number
  /** Entities kept although they were missing from the sources. */
  readonly kept?: readonly Kept[]
  /** Time of the load, in RFC 3339 UTC. */
  readonly at?: string
  /** Set until the first load is complete: the store has only the types of the sources in `read`. */
  readonly isPartial?: boolean
}

/** The last load of a definition's sources. */
export interface LoadedSources extends LoadRecord {
  /** Version that the load gave to the types it changed. */
  readonly version: string
}

/** Returns the record of the last load, or undefined if there was none. */
export async function loadedSources(store: Store): Promise<LoadedSources | undefined> {
  const kept = await namedValue(store, METADATA_KEY)
  if (kept === undefined) return undefined
  const record: LoadRecord = JSON.parse(kept.value)
  return { ...record, version: kept.version }
}

/** Returns the metadata to keep for comparison by the next load. */
export function loadMetadata(record: LoadRecord): NamedValues {
  return { [METADATA_KEY]: JSON.stringify(record) }
}

/** Returns a load's metadata without the deleted `type`. Once it is stored, the next start reads all sources again. */
export function withoutType({ version: _, ...record }: LoadedSources, type: string): NamedValues {
  const kept = record.kept?.filter((one) => one.type !== type) ?? []
  const { [type]: __, ...versions } = record.versions
  const fingerprint = { ...record.fingerprint, files: '' }
  const read = record.read?.map(({ name, types }) => ({ name, types }))
  return { [METADATA_KEY]: JSON.stringify({ ...record, kept, versions, fingerprint, read }) }
}

/** Reports whether a type is unchanged since the last load: its version is the one that the load found or assigned. */
export function isOnlyLoaded(
  type: string,
  { version }: Pick<TypeState, 'version'>,
  { versions, version: given }: LoadedSources,
): boolean {
  return Object.hasOwn(versions, type) && (version === versions[type] || version === given)
}
