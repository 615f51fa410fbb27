/** Loads files named on request, which need not be sources in the world's definition. */
import { type Store, setIndexRules, setSearchSynonyms } from '@worldwright/core/store'
import { indexRules } from '../definition/index-rules.ts'
import { searchRules } from '../definition/type-words.ts'
import type { LoadEvent } from './events.ts'
import { type ImportResult, importRecords } from './import-records.ts'
import type { ImportOptions } from './options.ts'
import { precedencesOf } from './precedences.ts'
import { announced, type DefinedWorld, type NamedFiles, namedSources } from './sources.ts'

/** Files, the store to load them into, and options. */
export interface FilesLoad extends NamedFiles, Pick<ImportOptions, 'replace' | 'dryRun' | 'onInvalid'> {
  readonly store: Store
  /** Definition that provides the types, options for reading sources, and search rules. */
  readonly world?: DefinedWorld | undefined
}

/**
 * Loads all good records of the files atomically, in addition to the entities already in the store.
 * @throws as `importRecords` does; then nothing is loaded
 */
export async function* loadFiles(load: FilesLoad): AsyncGenerator<LoadEvent, ImportResult> {
  const { store, world, replace, dryRun, onInvalid, signal } = load
  const sources = await namedSources(load, world)
  if (world && !dryRun) {
    await setIndexRules(store, indexRules(world.definition))
    await setSearchSynonyms(store, searchRules(world.definition))
  }
  yield { event: 'started', sources: announced(sources) }
  const { types, missing } = world?.definition ?? {}
  // Precedence applies only to files named by the definition. Loading any other file is an explicit request.
  const areDefined = sources.every(({ mapping }) => mapping !== undefined)
  const files = world && areDefined ? precedencesOf(world.definition) : undefined
  return yield* importRecords(store, sources, { replace, dryRun, types, missing, files, onInvalid, signal })
}
