/** What a store was last loaded from: so that unchanged sources are not read again, and others' writes are noticed. */
import type { Notes, Storage, TypeState } from '../../storage/contract.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Loaded } from './options.ts'

/** The metadata that holds it. */
const METADATA_KEY = 'sources'

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
  { replaced, skipped, kept, loaded: records, rejected }: Loaded,
): Notes {
  return ({ versions }) => {
    const states = versions()
    const now = (type: string) => [type, states.get(type)?.version ?? ''] as const
    const ours = [...replaced, ...skipped].map(now)
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
