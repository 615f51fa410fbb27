/** Loading a definition's sources into its store: only if something changed, and never half. */
import { ownedIn, type Store, setIndexRules, setSearchSynonyms } from '@worldwright/core/store'
import type { Source } from '../definition/definition.ts'
import { indexRules } from '../definition/index-rules.ts'
import { synonymRules } from '../definition/search-synonyms.ts'
import type { OnInvalid } from '../definition/settings.ts'
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
  readonly storage: Store
  /** Treatment of a record that breaks its type's schema; by default as the definition says, else it is left out. */
  readonly onInvalid?: OnInvalid | undefined
  /** Refuse all sources if they have become worse: more bad records, or far fewer entities of a type. */
  readonly cautious?: boolean | undefined
  /** If aborted, nothing is loaded and the load fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Result of loading a world, with anomalies that it revealed. */
export interface LoadResult extends ImportResult {
  /** Types of the loaded entities that the definition does not describe although it describes others, ascending. */
  readonly undeclared: readonly string[]
  /** Entities that stay although they break a changed schema of the definition. */
  readonly broken: readonly BrokenType[]
}

/**
 * Makes the store hold what the definition's sources hold, in one step, and sets the weights and synonyms of searches as the
 * definition says. Unchanged sources are not loaded again: then there is no event, and the result is
 * undefined. What others wrote into the store stays as the
 * precedence of each type says, and so does what would be deleted only because the definition lost a source.
 * @throws as `importRecords`; then what was loaded before stays
 */
export async function* loadWorld(load: WorldLoad): AsyncGenerator<LoadEvent, LoadResult | undefined> {
  const { definition, storage } = load
  const rules = indexRules(definition)
  // Existing data keep the old rules until the load succeeds; an empty store gets the new ones first, to be indexed once.
  if ((await storage.types()).size === 0) await setIndexRules(storage, rules)
  const fingerprint = await changedFingerprint(load)
  const result = fingerprint && (yield* loadLeased(load, fingerprint))
  await setIndexRules(storage, rules)
  await setSearchSynonyms(storage, synonymRules(definition))
  return result
}

/** Loads under a lease, so that one machine loads for all: a machine that waited finds the sources loaded. */
async function* loadLeased(
  load: WorldLoad,
  fingerprint: Fingerprint,
): AsyncGenerator<LoadEvent, LoadResult | undefined> {
  const { storage, signal } = load
  const lease = await storage.lease?.('sources', { signal })
  try {
    const isLoaded = lease && isSame((await loadedSources(storage))?.fingerprint, fingerprint)
    return isLoaded ? undefined : yield* loadChanged(load, fingerprint)
  } finally {
    await lease?.release()
  }
}

function isSame(before: Fingerprint | undefined, now: Fingerprint): boolean {
  return before?.definition === now.definition && before.files === now.files
}

/** Returns the fingerprint of the sources; undefined if they are as loaded last, or if there never were any. */
async function changedFingerprint(load: WorldLoad): Promise<Fingerprint | undefined> {
  const { definition, storage } = load
  const before = await loadedSources(storage)
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
  const { definition, storage, cautious = false, signal } = load
  let before = await loadedSources(storage)
  const isDefinedAsBefore = before?.fingerprint.definition === fingerprint.definition
  // The sources are read once more, since the fingerprint keeps no data. What is read now counts.
  const found = await definedSources(load)
  yield { event: 'started', sources: announced(found) }
  const read = digested(found.map(({ source }) => source))
  const sources = read.sources.map((source, at): ImportSource => ({ ...found[at], source }))
  const named = definition.sources.map(sourceName)
  const result = yield* importRecords(storage, sources, {
    replace: true,
    files: precedencesOf(definition),
    async beforeCommit() {
      // Another process may have loaded the same sources meanwhile.
      before = await loadedSources(storage)
    },
    mayLose(loss) {
      if (before && hasLostSource(loss, before, named)) return false
      // An author who has just changed the definition intends the loss.
      if (cautious && isDefinedAsBefore && isLargeLoss(loss)) throw refusedLoss(loss)
      return true
    },
    previousTypes: Object.keys(before?.versions ?? {}),
    types: definition.types,
    onInvalid: onInvalidOf(load),
    ...(cautious && { maxRejected: before?.rejected ?? 0 }),
    metadata: (loaded) =>
      loadMetadata({ ...fingerprint, files: read.digest() ?? fingerprint.files }, named, loaded),
    signal,
  })
  // Entities just loaded conform to their schemas; those of others, or of earlier loads, may break a changed schema.
  const others = new Set([
    ...(await ownedIn(storage, { limit: 0 })).types.keys(),
    ...result.kept.map(({ type }) => type),
  ])
  const broken = isDefinedAsBefore
    ? []
    : await brokenEntities(
        storage,
        definition.types.filter(({ type }) => others.has(type)),
      )
  return { ...result, undeclared: undeclared(load, result.types), broken }
}

/** Returns the name of a source across loads: with a rewritten query, or another type, it is still the same source. */
function sourceName(source: Source): string {
  if ('file' in source) return [source.file, ...(source.sheet === undefined ? [] : [source.sheet])].join(' ')
  const { sqlite, postgres, mysql, table = source.type } = source
  return [sqlite ?? postgres ?? mysql, table].join(' ')
}

/**
 * Reports whether a type would lose all or many of its entities because the definition has lost a source, now or at an
 * earlier load. Their deletion needs an explicit request.
 */
function hasLostSource(loss: Loss, { sources, kept = [] }: LoadedSources, named: readonly string[]): boolean {
  const isLost = sources === undefined ? named.length === 0 : sources.some((one) => !named.includes(one))
  const wasLost = kept.some(({ type, why }) => type === loss.type && why === 'source_gone')
  return (isLost || wasLost) && (loss.loaded === 0 || isLargeLoss(loss))
}

function onInvalidOf({ definition, onInvalid = definition.onInvalid ?? 'reject' }: WorldLoad): OnInvalid {
  return onInvalid
}

/** Returns the loaded types that a definition does not describe although it describes others: they may be mistakes. */
function undeclared({ definition: { types } }: WorldLoad, loaded: readonly string[]): string[] {
  if (types.length === 0) return []
  return loaded.filter((type) => types.every((declared) => declared.type !== type))
}
