/** Loading data files into a store: every good record in one step, every bad one accounted for. */
import type { ImportCounts, Storage } from '../../storage/contract.ts'
import { keepDerivedTypes } from '../types/derive-types.ts'
import type { DanglingReport } from './references.ts'
import { type ImportOptions, ImportRefused, ImportRun, type ImportSource, type Rejection } from './run.ts'

/** What an import came to. */
export interface ImportResult extends ImportCounts {
  /** How many records were not loaded. */
  readonly rejected: number
  /** The first twenty of them. */
  readonly rejections: readonly Rejection[]
  /** How many things there are to know about records that were loaded. */
  readonly warned: number
  /** The types that the good records have, ascending. */
  readonly types: readonly string[]
  /** References of the loaded entities that lead nowhere. */
  readonly references: DanglingReport
}

/**
 * Loads all good records of the sources at once: readers of the store see none of them before the end, and then all.
 * Bad records are left out. Also keeps a description, derived from the data, of every type that was loaded.
 * @throws SourceFault where a source cannot be read to its end, ImportStopped where `onInvalid` is `stop` and a record
 *   is bad, ImportRefused where more are bad than `maxRejected`; then nothing is loaded.
 */
export async function importRecords(
  storage: Storage,
  sources: readonly ImportSource[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  const staged = await storage.import()
  const run = new ImportRun(sources, options)
  try {
    for (const source of sources) {
      for await (const batch of run.batchesOf(source)) await staged.add(batch)
    }
    options.signal?.throwIfAborted()
    if (run.rejected > (options.maxRejected ?? Number.POSITIVE_INFINITY))
      throw new ImportRefused(run.rejected, run.rejections)
    const commit = options.replace ? { replace: replacedTypes(run, options) } : {}
    const counts = options.dryRun ? await staged.preview(commit) : await staged.commit(commit)
    if (options.dryRun) await staged.abort()
    else await keepDerivedTypes(storage, run.deriver, options.replace === true)
    return {
      ...counts,
      rejected: run.rejected,
      rejections: run.rejections,
      warned: run.warned,
      types: run.deriver.types(),
      references: options.dryRun
        ? { dangling: [], count: 0, incomplete: true }
        : await run.references.report(storage),
    }
  } catch (error) {
    await staged.abort()
    throw error
  }
}

function replacedTypes(run: ImportRun, { keep = new Set(), formerly = [] }: ImportOptions): string[] {
  const types = new Set([...run.filled, ...(run.rejected === 0 ? formerly : [])])
  return [...types].filter((type) => !keep.has(type))
}
