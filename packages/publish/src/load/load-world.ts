/** Loading what a definition names into its store: only where something changed, and never half. */
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
import { ownersOf } from './owners.ts'
import { isLargeLoss, refusedLoss } from './refusals.ts'
import { announced, closeSources, type DefinedWorld, definedSources } from './sources.ts'

/** A world, the store to load it into, and how. */
export interface WorldLoad extends DefinedWorld {
  readonly storage: Store
  /** What becomes of a record that breaks its type's schema; by default what the definition says, else it is left out. */
  readonly onInvalid?: OnInvalid | undefined
  /** Sources that have become worse (more bad records, or much less of a type) are refused as a whole. */
  readonly cautious?: boolean | undefined
  /** Aborted: nothing is loaded and the load fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** What loading a world did, and what is odd about it. */
export interface LoadResult extends ImportResult {
  /** Types of the loaded entities that the definition does not describe although it describes others, ascending. */
  readonly undeclared: readonly string[]
  /** Entities that stay and break a schema of the definition that has changed. */
  readonly broken: readonly BrokenType[]
}

/**
 * Makes the store hold what the definition's sources hold, in one step, and weighs attributes and reads texts in searches as the
 * definition says. Sources that are what was loaded last are not loaded again: then there is no event, and the result is
 * undefined. What others wrote into the store stays as
 * the owners of the types say, and so does what only a lost source of the definition would take away.
 * @throws as `importRecords`; then what was loaded before stays
 */
export async function* loadWorld(load: WorldLoad): AsyncGenerator<LoadEvent, LoadResult | undefined> {
  const { definition, storage } = load
  const rules = indexRules(definition)
  // What is there is served as it was until all is well; where nothing is there yet, the index is then built but once.
  if ((await storage.types()).size === 0) await setIndexRules(storage, rules)
  const fingerprint = await changedFingerprint(load)
  const result = fingerprint && (yield* loadLeased(load, fingerprint))
  await setIndexRules(storage, rules)
  await setSearchSynonyms(storage, synonymRules(definition))
  return result
}

/** Loads what one machine loads for all: who waited for another one finds it loaded. */
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

/** What the sources are; undefined if that is what was loaded last, or where there never were any. */
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
  // Read once more: what is read for the fingerprint is not kept. What counts is what is read now.
  const found = await definedSources(load)
  yield { event: 'started', sources: announced(found) }
  const read = digested(found.map(({ source }) => source))
  const sources = read.sources.map((source, at): ImportSource => ({ ...found[at], source }))
  const named = definition.sources.map(sourceName)
  const result = yield* importRecords(storage, sources, {
    replace: true,
    files: ownersOf(definition),
    async beforeCommit() {
      // Another process may have loaded the same sources meanwhile.
      before = await loadedSources(storage)
    },
    mayLose(loss) {
      if (before && hasLostSource(loss, before, named)) return false
      // Who has just written another definition means what it does.
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
  // What was just loaded keeps to its schemas; what stays of others, or of earlier loads, may not where these changed.
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

/** What a source is known by from load to load: a query that is written otherwise, or another type, is still the same. */
function sourceName(source: Source): string {
  if ('file' in source) return [source.file, ...(source.sheet === undefined ? [] : [source.sheet])].join(' ')
  const { sqlite, postgres, mysql, table = source.type } = source
  return [sqlite ?? postgres ?? mysql, table].join(' ')
}

/**
 * Whether a type would lose entities because the definition has lost a source, now or at an earlier load: all that it
 * has, or much of it. Somebody has to say that they are to go.
 */
function hasLostSource(loss: Loss, { sources, kept = [] }: LoadedSources, named: readonly string[]): boolean {
  const isLost = sources === undefined ? named.length === 0 : sources.some((one) => !named.includes(one))
  const wasLost = kept.some(({ type, why }) => type === loss.type && why === 'source_gone')
  return (isLost || wasLost) && (loss.loaded === 0 || isLargeLoss(loss))
}

function onInvalidOf({ definition, onInvalid = definition.onInvalid ?? 'reject' }: WorldLoad): OnInvalid {
  return onInvalid
}

/** Where a definition describes types, one that it does not describe may be a slip. */
function undeclared({ definition: { types } }: WorldLoad, loaded: readonly string[]): string[] {
  if (types.length === 0) return []
  return loaded.filter((type) => types.every((declared) => declared.type !== type))
}
