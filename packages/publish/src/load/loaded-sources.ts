/** Record of the last load of a store, by which unchanged sources are not read again, and others' writes are noticed. */
import type { NamedValues, Store, TypeState } from '@worldwright/core/store'
import { namedValue } from '@worldwright/core/store'
import type { Kept } from './doubts.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Loaded } from './options.ts'

/** Metadata key of the record. */
const METADATA_KEY = 'sources'

/** The record that a store keeps of the last load of a definition's sources. */
interface LoadRecord {
  readonly fingerprint: Fingerprint
  /** Versions of the sources' types right before the load; its commit was conditional on them. */
  readonly versions: Readonly<Record<string, string>>
  /** The sources, as the definition names them. Absent if an older release loaded them. */
  readonly sources?: readonly string[]
  readonly rejected: number
  /** Entities that stayed although the sources did not hold them. */
  readonly kept?: readonly Kept[]
  /** Time of the load, in RFC 3339 UTC. */
  readonly at?: string
}

/** The last load of a definition's sources. */
export interface LoadedSources extends LoadRecord {
  /** The version that the load gave to the types that it changed. */
  readonly version: string
}

/** Returns the record of the last load; undefined if there was none. */
export async function loadedSources(storage: Store): Promise<LoadedSources | undefined> {
  const kept = await namedValue(storage, METADATA_KEY)
  if (kept === undefined) return undefined
  const record: LoadRecord = JSON.parse(kept.value)
  return { ...record, version: kept.version }
}

/** Returns the metadata to keep with a load, for the next load to compare. `sources`: as the definition names them. */
export function loadMetadata(
  fingerprint: Fingerprint,
  sources: readonly string[],
  { versions, kept, rejected }: Loaded,
): NamedValues {
  const at = new Date().toISOString()
  const record: LoadRecord = {
    fingerprint,
    versions: Object.fromEntries(versions),
    sources,
    rejected,
    kept,
    at,
  }
  return { [METADATA_KEY]: JSON.stringify(record) }
}

/** Returns the metadata of a load without a type that was deleted; with it, the next start reads all sources again. */
export function withoutType({ version: _, ...record }: LoadedSources, type: string): NamedValues {
  const kept = record.kept?.filter((one) => one.type !== type) ?? []
  const { [type]: __, ...versions } = record.versions
  const fingerprint = { ...record.fingerprint, files: '' }
  return { [METADATA_KEY]: JSON.stringify({ ...record, kept, versions, fingerprint }) }
}

/** Reports whether only the last load wrote a type: it has the version that the load found or gave. */
export function isOnlyLoaded(
  type: string,
  { version }: TypeState,
  { versions, version: given }: LoadedSources,
): boolean {
  return Object.hasOwn(versions, type) && (version === versions[type] || version === given)
}
