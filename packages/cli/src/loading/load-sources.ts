/** Loading what a definition names into its store: only where something changed, and never half. */
import { resolve } from 'node:path'
import {
  definedSources,
  fingerprintOf,
  type ImportSource,
  importRecords,
  loadedNotes,
  loadedSources,
  type Storage,
  searchWeights,
  touchedTypes,
} from '@worldwright/server'
import { type Place, withStore } from '../open/place.ts'
import type { Settings } from '../open/settings.ts'
import { importSource } from '../open/source.ts'
import { createWarningTally, reportLines } from '../terminal/import-report.ts'
import type { Io } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'
import { createProgress } from '../terminal/progress.ts'
import { createRejectsFile } from '../terminal/rejects-file.ts'

/**
 * Loads the sources into the place's store, if they are not what was loaded last, and weighs the attributes of their
 * types as the definition says. See `loadChanged`.
 */
export async function loadSources(place: Place, settings: Settings, again: boolean, io: Io): Promise<void> {
  await withStore(place.storeFile, async (storage) => {
    const weigh = async () => {
      if (place.file !== undefined) await storage.weigh(searchWeights(place.definition))
    }
    // What is there is served as it was until all is well; where nothing is there yet, the index is then built but once.
    if ((await storage.versions()).size === 0) await weigh()
    await loadChanged(place, storage, settings, io, again)
    await weigh()
  })
}

/**
 * Loads the sources, if they are not what was loaded last. With `again`, sources that have become worse than they were
 * (more bad records, or much less of a type) are refused as a whole. Types that were written by others meanwhile lose
 * nothing. @throws SourceFault, ImportRefused, ImportShrunk, ImportStopped; then what was loaded before stays
 */
async function loadChanged(
  { definition, folder, storeFile }: Place,
  storage: Storage,
  settings: Settings,
  io: Io,
  again: boolean,
): Promise<void> {
  const before = await loadedSources(storage)
  if (definition.sources.length === 0 && before === undefined) return
  const path = (file: string) => resolve(folder, file)
  const files = (await definedSources(definition, path)).map(({ source }) => source)
  const fingerprint = await fingerprintOf(definition, files, settings.onInvalid)
  const isDefinedAsBefore = before?.fingerprint.definition === fingerprint.definition
  if (isDefinedAsBefore && before?.fingerprint.files === fingerprint.files) return
  // Read once more: what is read for the fingerprint is not kept.
  const sources: ImportSource[] = (await definedSources(definition, path)).map(({ defined, source }) => ({
    ...importSource(defined),
    source,
  }))
  const progress = createProgress(io)
  const warnings = createWarningTally()
  const rejects = createRejectsFile(`${storeFile}.rejected.ndjson`)
  try {
    const result = await importRecords(storage, sources, {
      replace: true,
      keep: (states) => touchedTypes(states, before),
      formerly: Object.keys(before?.versions ?? {}),
      types: definition.types,
      onInvalid: settings.onInvalid,
      // Who has just written another definition means what it does.
      ...(again && { maxRejected: before?.rejected ?? 0, refuseLoss: isDefinedAsBefore }),
      onProgress: progress.show,
      onWarning: warnings.note,
      onReject: rejects.note,
      notes: (loaded) => loadedNotes(fingerprint, before, loaded),
      signal: io.signal,
    })
    progress.end()
    rejects.close()
    for (const line of reportLines(result, warnings, rejects.path)) say(io, line)
    for (const type of result.kept)
      say(io, `${type} was also written by others, so what its sources no longer hold is kept.`)
  } finally {
    progress.end()
    rejects.close()
  }
}
