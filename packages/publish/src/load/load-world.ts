/** Loads a definition's sources into its store atomically if anything has changed. */
import { ownedIn, type Store, setIndexRules, setSearchSynonyms } from '@worldwright/core/store'
import type { Source } from '../definition/definition.ts'
import { indexRules } from '../definition/index-rules.ts'
import type { OnInvalid } from '../definition/settings.ts'
import { searchRules } from '../definition/type-words.ts'
import { type BrokenType, brokenEntities } from './broken-entities.ts'
import type { LoadEvent } from './events.ts'
import { digested, type Fingerprint, fingerprintOf } from './fingerprint.ts'
import { type ImportResult, importRecords } from './import-records.ts'
import { type LoadedSources, loadedSources, loadMetadata } from './loaded-sources.ts'
import type { ImportSource, Loss } from './options.ts'
import { precedencesOf } from './precedences.ts'
import { isLargeLoss, refusedLoss } from './refusals.ts'
import { announced, closeSources, type DefinedWorld, definedSources } from './sources.ts'

/** A world, the store to load it into, and options. */
export interface WorldLoad extends DefinedWorld {
  readonly store: Store
  /** Treatment of a record that violates its type's schema. Defaults to the definition's setting, else `reject`. */
  readonly onInvalid?: OnInvalid | undefined
  /** If set, refuses to load degraded sources, that is, ones with more bad records or far fewer entities of a type. */
  readonly cautious?: boolean | undefined
  /** If aborted, nothing is loaded and the load fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Result of loading a world, with the anomalies found. */
export interface LoadResult extends ImportResult {
  /** Types of loaded entities that the definition lacks although it describes other types, in ascending order. */
  readonly undeclared: readonly string[]
  /** Entities kept although they violate a changed schema in the definition. */
  readonly broken: readonly BrokenType[]
}

/**
 * Synchronizes the store with the definition's sources atomically, and sets the definition's search weights and synonyms.
 * Unchanged sources are not loaded again, in which case no event is yielded and the result is undefined. The precedence of
 * each type decides whether writes by other writers are kept. Entities that would be deleted only because the definition
 * lost a source are also kept.
 * @throws as `importRecords` does, keeping what was loaded before
 */
export async function* loadWorld(load: WorldLoad): AsyncGenerator<LoadEvent, LoadResult | undefined> {
  const { definition, store } = load
  const rules = indexRules(definition)
  // Existing data keeps the old rules until the load succeeds. An empty store gets the new rules first, to be indexed once.
  if ((await store.types()).size === 0) await setIndexRules(store, rules)
  const fingerprint = await changedFingerprint(load)
  const result = fingerprint && (yield* loadLeased(load, fingerprint))
  await setIndexRules(store, rules)
  await setSearchSynonyms(store, searchRules(definition))
  return result
}

/** Loads under a lease, so that only one machine loads. A machine that had to wait finds the sources already loaded. */
async function* loadLeased(
  load: WorldLoad,
  fingerprint: Fingerprint,
): AsyncGenerator<LoadEvent, LoadResult | undefined> {
  const { store, signal } = load
  const lease = await store.lease?.('sources', { signal })
  try {
    const isLoaded = lease && isSame((await loadedSources(store))?.fingerprint, fingerprint)
    return isLoaded ? undefined : yield* loadChanged(load, fingerprint)
  } finally {
    await lease?.release()
  }
}

function isSame(before: Fingerprint | undefined, now: Fingerprint): boolean {
  return before?.definition === now.definition && before.files === now.files
}

/** Returns the sources' fingerprint, or undefined if it is unchanged since the last load or there never were any sources. */
async function changedFingerprint(load: WorldLoad): Promise<Fingerprint | undefined> {
  const { definition, store } = load
  const before = await loadedSources(store)
  if (definition.sources.length === 0 && before === undefined) return undefined
  const found = await definedSources(load)
  const sources = found.map(({ source }) => source)
  const now = await fingerprintOf(definition, sources, onInvalidOf(load)).finally(() => closeSources(found))
  return isSame(before?.fingerprint, now) ? undefined : now
}

async function* loadChanged(
  load: WorldLoad,
  fingerprint: Fingerprint,
): AsyncGenerator<LoadEvent, LoadResult> {
  const { definition, store, cautious = false, signal } = load
  let before = await loadedSources(store)
  const isDefinedAsBefore = before?.fingerprint.definition === fingerprint.definition
  // The sources are read again, since the fingerprint keeps no data. The second reading is authoritative.
  const found = await definedSources(load)
  yield { event: 'started', sources: announced(found) }
  const read = digested(found.map(({ source }) => source))
  const sources = read.sources.map((source, at): ImportSource => ({ ...found[at], source }))
  const named = definition.sources.map(sourceName)
  const result = yield* importRecords(store, sources, {
    replace: true,
    files: precedencesOf(definition),
    async beforeCommit() {
      // Another process may have loaded the same sources in the meantime.
      before = await loadedSources(store)
    },
    mayLose(loss) {
      if (before && hasLostSource(loss, before, named)) return false
      // A loss right after a change to the definition is assumed to be intentional.
      if (cautious && isDefinedAsBefore && isLargeLoss(loss)) throw refusedLoss(loss)
      return true
    },
    previousTypes: Object.keys(before?.versions ?? {}),
    types: definition.types,
    missing: definition.missing,
    onInvalid: onInvalidOf(load),
    ...(cautious && { maxRejected: before?.rejected ?? 0 }),
    metadata: (loaded) =>
      loadMetadata({ ...fingerprint, files: read.digest() ?? fingerprint.files }, named, loaded),
    signal,
  })
  // Entities just loaded conform to their schemas. Entities of other writers or earlier loads may violate a new schema.
  const others = new Set([
    ...(await ownedIn(store, { limit: 0 })).types.keys(),
    ...result.kept.map(({ type }) => type),
  ])
  const broken = isDefinedAsBefore
    ? []
    : await brokenEntities(
        store,
        definition.types.filter(({ type }) => others.has(type)),
      )
  return { ...result, undeclared: undeclared(load, result.types), broken }
}

/** Returns a name that identifies a source across loads. Rewriting a query does not change the name. */
function sourceName(source: Source): string {
  if ('file' in source) return [source.file, ...(source.sheet === undefined ? [] : [source.sheet])].join(' ')
  const { sqlite, postgres, mysql, table = source.type } = source
  return [sqlite ?? postgres ?? mysql, table].join(' ')
}

/**
 * Reports whether a type would lose all or many of its entities because the definition lost a source, now or in an earlier
 * load. Their deletion requires an explicit request.
 */
function hasLostSource(loss: Loss, { sources, kept = [] }: LoadedSources, named: readonly string[]): boolean {
  const isLost = sources === undefined ? named.length === 0 : sources.some((one) => !named.includes(one))
  const wasLost = kept.some(({ type, why }) => type === loss.type && why === 'source_gone')
  return (isLost || wasLost) && (loss.loaded === 0 || isLargeLoss(loss))
}

function onInvalidOf({ definition, onInvalid = definition.onInvalid ?? 'reject' }: WorldLoad): OnInvalid {
  return onInvalid
}

/** Returns the loaded types that the definition lacks, unless it describes none. They may be mistakes. */
function undeclared({ definition: { types } }: WorldLoad, loaded: readonly string[]): string[] {
  if (types.length === 0) return []
  return loaded.filter((type) => types.every((declared) => declared.type !== type))
}
