/** Loads a definition's sources into its store atomically if anything has changed. */
import { ownedIn, type Store, setIndexRules, setSearchSynonyms } from '@worldwright/core/store'
import { indexRules } from '../definition/index-rules.ts'
import type { OnInvalid } from '../definition/settings.ts'
import { searchRules } from '../definition/type-words.ts'
import { type BrokenType, brokenEntities } from './broken-entities.ts'
import type { LoadEvent } from './events.ts'
import { type Digests, digested, digestsOf, type Fingerprint, fingerprintOf } from './fingerprint.ts'
import { type ImportResult, importRecords } from './import-records.ts'
import {
  isOnlyLoaded,
  type LoadedSources,
  loadedSources,
  loadMetadata,
  type SourceRecord,
} from './loaded-sources.ts'
import type { Loss } from './options.ts'
import { precedencesOf } from './precedences.ts'
import { isLargeLoss, refusedLoss, TypeUnread } from './refusals.ts'
import { announced, closeSources, type DefinedWorld, definedSources } from './sources.ts'
import { areComplete, sourceName, sourceRecords, type Unread, unreadSources } from './unread-sources.ts'

/** A world, the store to load it into, and options. */
export interface WorldLoad extends DefinedWorld {
  readonly store: Store
  /** Treatment of a record that violates its type's schema. Defaults to the definition's setting, else `reject`. */
  readonly onInvalid?: OnInvalid | undefined
  /** If set, refuses to load degraded sources, that is, ones with more bad records or far fewer entities of a type. */
  readonly cautious?: boolean | undefined
  /** Least number of entities that a first load commits before its end. */
  readonly step?: number | undefined
  /** If aborted, nothing more is loaded and the load fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Result of loading a world, with the anomalies found. */
export interface LoadResult extends ImportResult {
  /** Types of loaded entities that the definition lacks although it describes other types, in ascending order. */
  readonly undeclared: readonly string[]
  /** Entities kept although they violate a changed schema in the definition. */
  readonly broken: readonly BrokenType[]
  /** Number of sources that were not read again, since they and all others that fill the same types are unchanged. */
  readonly unread: number
}

/**
 * Synchronizes the store with the definition's sources atomically, and sets the definition's search weights and synonyms. The
 * first load commits large types as soon as they are complete, each atomically, and yields `filled`; if it is interrupted, the next
 * continues it. With `onInvalid: stop`, it is all or nothing as well.
 * Unchanged sources are not read again, unless they share something with changed ones; if that shows only in the records, a
 * second event `started` voids those before it. If no source has changed, no event is yielded and the result is undefined. The
 * precedence of each type decides whether writes by other writers are kept. Entities that would be deleted only because the
 * definition lost a source are also kept.
 * @throws as `importRecords` does, keeping what was loaded before
 */
export async function* loadWorld(world: WorldLoad): AsyncGenerator<LoadEvent, LoadResult | undefined> {
  const { definition, store, onInvalid = definition.onInvalid ?? 'reject' } = world
  const load = { ...world, onInvalid }
  const rules = indexRules(definition)
  // Existing data keeps the old rules until the load succeeds. An empty store gets the new rules first, to be indexed once.
  if ((await store.types()).size === 0) await setIndexRules(store, rules)
  const digests = await changedSources(load)
  const result = digests && (yield* loadLeased(load, digests))
  await setIndexRules(store, rules)
  await setSearchSynonyms(store, searchRules(definition))
  return result
}

/** Loads under a lease, so that only one machine loads. A machine that had to wait finds the sources already loaded. */
async function* loadLeased(load: Load, digests: Digests): AsyncGenerator<LoadEvent, LoadResult | undefined> {
  const { store, signal } = load
  const lease = await store.lease?.('sources', { signal })
  try {
    const before = await loadedSources(store)
    if (isSame(before, fingerprintOf(load, digests))) return undefined
    const unread = before ? await unreadSources(load, store, before, digests) : NONE
    const isFirst = before?.isPartial ?? before === undefined
    try {
      return yield* loadChanged(load, digests, unread, isFirst && load.onInvalid !== 'stop')
    } catch (error) {
      if (!(error instanceof TypeUnread)) throw error
      return yield* loadChanged(load, digests, NONE)
    }
  } finally {
    await lease?.release()
  }
}

function isSame(before: LoadedSources | undefined, now: Fingerprint): boolean {
  return before?.fingerprint.definition === now.definition && before.fingerprint.files === now.files
}

/** Returns the sources' digests, or undefined if they are unchanged since the last load or there never were any sources. */
async function changedSources(load: Load): Promise<Digests | undefined> {
  const { definition, store } = load
  const before = await loadedSources(store)
  if (definition.sources.length === 0 && before === undefined) return undefined
  const sources = await definedSources(load)
  const digests = await digestsOf(sources).finally(() => closeSources(sources))
  return isSame(before, fingerprintOf(load, digests)) ? undefined : digests
}

type Load = WorldLoad & { readonly onInvalid: OnInvalid }

const NONE: Unread = { sources: new Map(), versions: new Map() }

/** Default of `step`. Each commit costs about half a second of processor time. */
const STEP = 50_000

/** Digests of a load that is not complete, different from those of any other. */
const PARTIAL: Fingerprint = { definition: '', files: '' }

/**
 * Loads the sources, except for unread ones. `isFirst` commits types as soon as they are complete.
 * @throws TypeUnread if everything must be read at once
 */
async function* loadChanged(
  load: Load,
  digests: Digests,
  unread: Unread,
  isFirst = false,
): AsyncGenerator<LoadEvent, LoadResult> {
  const { definition, store, cautious = false, step = STEP, signal } = load
  let before = await loadedSources(store)
  const isDefinedAsBefore = before?.fingerprint.definition === fingerprintOf(load, digests).definition
  // The sources are read again, since the fingerprint keeps no data. The second reading is authoritative.
  const found = (await definedSources(load)).filter(({ mapping }) => !unread.sources.has(mapping ?? {}))
  yield { event: 'started', sources: announced(found) }
  const read = digested(found)
  const named = definition.sources.map(sourceName)
  /** Times of the records that this load may find. */
  const times = new Set([unread.at])
  const result = yield* importRecords(store, read.sources, {
    replace: true,
    files: precedencesOf(definition),
    async beforeCommit() {
      // Another process may have loaded the same sources in the meantime.
      before = await loadedSources(store)
      if (unread.at !== undefined && !times.has(before?.at)) throw new TypeUnread()
    },
    ...(isFirst && {
      mayCommit: (types, at, entities) => entities >= step && areComplete(types, read.sources, at),
    }),
    mayLose(loss) {
      if (before && hasLostSource(loss, before, named)) return false
      // A loss right after a change to the definition is assumed to be intentional.
      if (cautious && isDefinedAsBefore && isLargeLoss(loss)) throw refusedLoss(loss)
      return true
    },
    unread: unread.versions,
    previousTypes: Object.keys(before?.versions ?? {}).filter((type) => !unread.versions.has(type)),
    types: definition.types,
    missing: definition.missing,
    onInvalid: load.onInvalid,
    ...(cautious && { maxRejected: before?.rejected ?? 0 }),
    metadata({ outcomes, rejected, kept, versions, earlier, isLast }) {
      const now: Digests = new Map([...digests, ...read.digests()])
      // A type that others have written since this load committed it is read again by the next.
      const own = [...earlier].map(([type, version]): [string, string] => {
        return [type, before && isOnlyLoaded(type, { version }, before) ? version : '']
      })
      const at = new Date().toISOString()
      times.add(at)
      // Types and sources of an interrupted load stay known until the last commit has settled what becomes of them.
      const left = isLast ? undefined : before
      return loadMetadata({
        fingerprint: isLast ? fingerprintOf(load, now) : PARTIAL,
        read: withEarlier(left?.read, sourceRecords(load, unread, now, outcomes, isLast)),
        versions: { ...left?.versions, ...Object.fromEntries([...unread.versions, ...own, ...versions]) },
        rejected,
        kept,
        at,
        ...(!isLast && { isPartial: true }),
      })
    },
    signal,
  })
  // References from unread sources are not checked.
  const references = { ...result.references, ...(unread.sources.size > 0 && { incomplete: true }) }
  const broken = isDefinedAsBefore ? [] : await brokenOthers(load, result)
  const undeclared = undeclaredIn(load, result.types)
  return { ...result, references, unread: unread.sources.size, undeclared, broken }
}

/** Adds earlier records of other sources, without digests, so that these sources are read again. */
function withEarlier(earlier: LoadedSources['read'] = [], read: readonly SourceRecord[]): SourceRecord[] {
  const others = earlier.filter(({ name }) => read.every((one) => one.name !== name))
  return [...read, ...others.map(({ name, types }) => ({ name, types }))]
}

/** Finds invalid entities of other writers or earlier loads. Entities just loaded conform to their schemas. */
async function brokenOthers({ definition, store }: WorldLoad, { kept }: ImportResult): Promise<BrokenType[]> {
  const owned = await ownedIn(store, { limit: 0 })
  const others = new Set([...owned.types.keys(), ...kept.map(({ type }) => type)])
  return brokenEntities(
    store,
    definition.types.filter(({ type }) => others.has(type)),
  )
}

/**
 * Reports whether a type would lose all or many of its entities because the definition lost a source, now or in an earlier
 * load. Their deletion requires an explicit request.
 */
function hasLostSource(loss: Loss, { read, kept = [] }: LoadedSources, named: readonly string[]): boolean {
  const isLost = read === undefined ? named.length === 0 : read.some(({ name }) => !named.includes(name))
  const wasLost = kept.some(({ type, why }) => type === loss.type && why === 'source_gone')
  return (isLost || wasLost) && (loss.loaded === 0 || isLargeLoss(loss))
}

/** Returns the loaded types that the definition lacks, unless it describes none. They may be mistakes. */
function undeclaredIn({ definition: { types } }: WorldLoad, loaded: readonly string[]): string[] {
  if (types.length === 0) return []
  return loaded.filter((type) => types.every((declared) => declared.type !== type))
}
