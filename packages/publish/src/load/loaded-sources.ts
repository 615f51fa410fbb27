/** What a store was last loaded from: so that unchanged sources are not read again, and others' writes are noticed. */
import type { NamedValues, Store, TypeState } from '@worldwright/core/store'
import { namedValue } from '@worldwright/core/store'
import type { Kept } from './doubts.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Loaded } from './options.ts'

/** The metadata that holds it. */
const METADATA_KEY = 'sources'

/** What a store keeps of the last load of a definition's sources. */
interface LoadRecord {
  readonly fingerprint: Fingerprint
  /** The versions that the types of the sources had right before it, which it was conditional on. */
  readonly versions: Readonly<Record<string, string>>
  /** The sources, as the definition names them. Absent: an older version loaded them. */
  readonly sources?: readonly string[]
  readonly rejected: number
  /** What stayed although the sources did not hold it. */
  readonly kept?: readonly Kept[]
  /** When it was, in RFC 3339 UTC. */
  readonly at?: string
}

/** The last load of a definition's sources. */
export interface LoadedSources extends LoadRecord {
  /** The version that it gave to the types that it changed. */
  readonly version: string
}

/** What was loaded last; undefined if nothing was. */
export async function loadedSources(storage: Store): Promise<LoadedSources | undefined> {
  const kept = await namedValue(storage, METADATA_KEY)
  if (kept === undefined) return undefined
  const record: LoadRecord = JSON.parse(kept.value)
  return { ...record, version: kept.version }
}

/** What to keep with a load, so that the next one knows of it. `sources`: as the definition names them. */
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

/** What to keep of a load once all of a type is deleted: nothing of it, and the next start looks at all sources again. */
export function withoutType({ version: _, ...record }: LoadedSources, type: string): NamedValues {
  const kept = record.kept?.filter((one) => one.type !== type) ?? []
  const { [type]: __, ...versions } = record.versions
  const fingerprint = { ...record.fingerprint, files: '' }
  return { [METADATA_KEY]: JSON.stringify({ ...record, kept, versions, fingerprint }) }
}

/** Whether nobody but the last load wrote a type: it has the version that the load met or gave. */
export function isOnlyLoaded(
  type: string,
  { version }: TypeState,
  { versions, version: given }: LoadedSources,
): boolean {
  return Object.hasOwn(versions, type) && (version === versions[type] || version === given)
}
