/** Loading named files, whether the world's definition has them as sources or not. */
import { type Store, setIndexRules, setSearchSynonyms } from '@worldwright/core/store'
import { indexRules } from '../definition/index-rules.ts'
import { synonymRules } from '../definition/search-synonyms.ts'
import type { OnInvalid } from '../definition/settings.ts'
import type { LoadEvent } from './events.ts'
import { type ImportResult, importRecords } from './import-records.ts'
import { precedencesOf } from './precedences.ts'
import { announced, type DefinedWorld, type NamedFiles, namedSources } from './sources.ts'

/** Files, the store to load them into, and options. */
export interface FilesLoad extends NamedFiles {
  readonly storage: Store
  /** Definition of the types, of how sources are read, and of the weights in searches. */
  readonly world?: DefinedWorld | undefined
  /** See `ImportOptions.replace`. */
  readonly replace?: boolean | undefined
  /** Report what would happen, without a change. */
  readonly dryRun?: boolean | undefined
  /** Treatment of a record that breaks its type's schema; by default it is left out. */
  readonly onInvalid?: OnInvalid | undefined
}

/**
 * Loads all good records of the files in one step, beside what the store holds already.
 * @throws as `importRecords`; then nothing is loaded
 */
export async function* loadFiles(load: FilesLoad): AsyncGenerator<LoadEvent, ImportResult> {
  const { storage, world, replace, dryRun, onInvalid, signal } = load
  const sources = await namedSources(load, world)
  if (world && !dryRun) {
    await setIndexRules(storage, indexRules(world.definition))
    await setSearchSynonyms(storage, synonymRules(world.definition))
  }
  yield { event: 'started', sources: announced(sources) }
  const types = world?.definition.types
  // Precedence applies to files that the definition names; any other file is an explicit request.
  const areDefined = sources.every(({ mapping }) => mapping !== undefined)
  const files = world && areDefined ? precedencesOf(world.definition) : undefined
  return yield* importRecords(storage, sources, { replace, dryRun, types, files, onInvalid, signal })
}
