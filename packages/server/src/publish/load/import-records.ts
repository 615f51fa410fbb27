/** Importing records into a store: every good one in one step, every bad one reported. */
import {
  type Import,
  type ImportCounts,
  type Position,
  type Storage,
  StorageFault,
} from '../../storage/contract.ts'
import type { ImportEvent, Rejection } from './events.ts'
import type { ImportOptions, ImportSource, Replaced } from './options.ts'
import type { DanglingReport } from './references.ts'
import { ImportRefused, refuseLoss } from './refusals.ts'
import { ImportRun } from './run.ts'
import { closeSources } from './sources.ts'

/** What an import did, and to which records. */
export interface ImportResult extends ImportCounts, Pick<Replaced, 'skipped' | 'kept'> {
  /** Where the commit led to. Absent after a dry run. */
  readonly position?: Position
  /** How many records were not loaded. */
  readonly rejected: number
  /** The first twenty of them. */
  readonly rejections: readonly Rejection[]
  /** How many warnings there were. */
  readonly warned: number
  /** The types that the good records have, ascending. */
  readonly types: readonly string[]
  /** References of the loaded entities that lead nowhere. */
  readonly references: DanglingReport
}

/**
 * Loads all good records of the sources at once: readers of the store see none of them before the end, and then all.
 * Bad records are left out, and sources are closed at the end. A store with type inference learns from them what their types look like: see `withTypeInference`.
 * @throws SourceFault where a source cannot be read to its end, ImportStopped where `onInvalid` is `stop` and a record
 *   is bad, ImportRefused where more are bad than `maxRejected`, ImportShrunk; then nothing is loaded.
 */
export async function* importRecords(
  storage: Storage,
  sources: readonly ImportSource[],
  options: ImportOptions = {},
): AsyncGenerator<ImportEvent, ImportResult> {
  const staged = await storage.import()
  const run = new ImportRun(sources, options)
  try {
    for (const source of sources) {
      for await (const batch of run.batchesOf(source)) {
        run.rejectRepeated(source, batch, await staged.add(batch.entities))
        options.signal?.throwIfAborted()
        yield* run.events()
        yield run.progress('reading')
      }
    }
    options.signal?.throwIfAborted()
    run.warnOfUnseen()
    yield* run.events()
    if (run.rejected > (options.maxRejected ?? Number.POSITIVE_INFINITY))
      throw new ImportRefused(run.rejected, run.rejections)
    if (!options.dryRun) yield run.progress('placing')
    const { counts, skipped, kept } = await commit(storage, staged, run, options)
    return {
      ...counts,
      skipped,
      kept,
      rejected: run.rejected,
      rejections: run.rejections,
      warned: run.warned,
      types: [...run.loaded.keys()].sort(),
      references: options.dryRun
        ? { dangling: [], count: 0, incomplete: true }
        : await run.references.report(storage),
    }
  } catch (error) {
    yield* run.events()
    throw error
  } finally {
    // Whether this fails does not matter: the store removes what is left by itself.
    await Promise.resolve(staged.abort()).catch(() => {})
    await closeSources(sources)
  }
}

/** How often a commit is tried where others write meanwhile. */
const ATTEMPTS = 5

async function commit(storage: Storage, staged: Import, run: ImportRun, options: ImportOptions) {
  for (let attempt = 1; ; attempt++) {
    const states = await storage.versions()
    const what = run.replaced(await options.protect?.(states))
    const replace = what.replaced
    if (options.refuseLoss) refuseLoss(replace, run.loaded, states)
    if (options.dryRun) return { counts: await staged.preview({ replace }), ...what }
    const types = [...replace, ...what.skipped, ...what.kept]
    const versions = new Map(types.map((type) => [type, states.get(type)?.version ?? '']))
    const metadata = options.metadata?.({ ...what, loaded: run.loaded, rejected: run.rejected, versions })
    try {
      const counts = await staged.commit({
        replace,
        metadata,
        ...((options.protect ?? options.metadata) && { ifVersions: versions }),
      })
      return { counts, ...what }
    } catch (error) {
      const isStale = error instanceof StorageFault && error.code === 'stale'
      if (!isStale || attempt === ATTEMPTS) throw error
    }
  }
}
