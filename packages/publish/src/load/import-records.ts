/** Importing records into a store: all good records in one step, every bad one reported. */
import {
  type Bulk,
  type ImportCounts,
  ownedIn,
  type Position,
  StorageFault,
  type Store,
  type TypeState,
} from '@worldwright/core/store'
import type { DanglingReport } from './dangling-references.ts'
import type { Kept } from './doubts.ts'
import type { ImportEvent, Rejection } from './events.ts'
import type { ImportOptions, ImportSource, Replaced } from './options.ts'
import { ImportRefused } from './refusals.ts'
import { ImportRun } from './run.ts'
import { closeSources } from './sources.ts'

/** Result of an import: counts, kept entities and rejected records. */
export interface ImportResult extends ImportCounts {
  /** Offset of the change log after the commit. Absent after a dry run. */
  readonly position?: Position
  /** Entities that stay although the sources do not hold them; ascending by type. */
  readonly kept: readonly Kept[]
  /** Number of entities that stay as others wrote or deleted them, although the sources differ. */
  readonly shadowed: number
  /** Number of records that were not loaded. */
  readonly rejected: number
  /** The first twenty of those records. */
  readonly rejections: readonly Rejection[]
  /** Number of warnings. */
  readonly warned: number
  /** Types of the good records, ascending. */
  readonly types: readonly string[]
  /** Dangling references of the loaded entities. */
  readonly references: DanglingReport
}

/**
 * Loads all good records atomically: readers of the store see none of them before the end, and then all. Leaves out bad
 * records, and closes the sources at the end. A store with type inference learns schemas from them: see `withTypeInference`.
 * @throws SourceFault if a source cannot be read to its end, ImportStopped if `onInvalid` is `stop` and a record
 *   is bad, ImportRefused if more are bad than `maxRejected`, ImportShrunk; then nothing is loaded.
 */
export async function* importRecords(
  storage: Store,
  sources: readonly ImportSource[],
  options: ImportOptions = {},
): AsyncGenerator<ImportEvent, ImportResult> {
  const { files } = options
  const staged = await storage.bulk(files && { files })
  const run = new ImportRun(sources, options)
  try {
    for (const source of sources) {
      for await (const batch of run.batchesOf(source)) {
        await run.stage(staged, source, batch)
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
    const { counts, kept } = await commit(storage, staged, run, options)
    return {
      ...counts,
      kept,
      shadowed: files ? await shadowedIn(storage) : 0,
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
    // A failure does not matter: the store itself removes what is left.
    await Promise.resolve(staged.abort()).catch(() => {})
    await closeSources(sources)
  }
}

/** Maximum number of attempts at a commit while others write. */
const ATTEMPTS = 5

async function commit(storage: Store, staged: Bulk, run: ImportRun, options: ImportOptions) {
  const wanted = run.wanted()
  const keys = run.doubts.keysIn(wanted)
  if (keys.length > 0) await staged.add([], { keep: keys })
  for (let attempt = 1; ; attempt++) {
    const states = await storage.types()
    await options.beforeCommit?.()
    const what = await replacing(staged, run, wanted, states, options)
    const { replaced: replace } = what
    if (options.dryRun) return { counts: await staged.commit({ replace, dryRun: true }), ...what }
    const versions = new Map(wanted.map((type) => [type, states.get(type)?.version ?? '']))
    const values = options.metadata?.({ ...what, rejected: run.rejected, versions })
    try {
      const counts = await staged.commit({
        replace,
        values,
        ...((options.files ?? options.metadata) && { ifVersions: versions }),
      })
      return { counts, ...what }
    } catch (error) {
      const isStale = error instanceof StorageFault && error.code === 'stale'
      if (!isStale || attempt === ATTEMPTS) throw error
    }
  }
}

/** Decides which of these types are replaced, and which entities stay. */
async function replacing(
  staged: Bulk,
  { loaded, doubts }: ImportRun,
  wanted: readonly string[],
  states: ReadonlyMap<string, TypeState>,
  { mayLose }: ImportOptions,
): Promise<Replaced> {
  const storedOf = (type: string) => states.get(type)?.count ?? 0
  // Counting visits each entity, so it is done only if it can matter.
  const isCounted = (type: string) =>
    doubts.hasKeys ||
    doubts.whyUnsure(type) !== undefined ||
    (mayLose !== undefined && storedOf(type) > (loaded.get(type) ?? 0))
  const counted = wanted.filter((type) => storedOf(type) > 0 && isCounted(type))
  const unstaged = await staged.unstaged?.(counted)
  const replaced: string[] = []
  const kept: Kept[] = []
  for (const type of wanted) {
    // If the engine does not count, at least this many are missing.
    const fewer = isCounted(type) ? Math.max(0, storedOf(type) - (loaded.get(type) ?? 0)) : 0
    const counts = unstaged?.get(type) ?? { kept: 0, missing: unstaged ? 0 : fewer }
    const loss = { type, loaded: loaded.get(type) ?? 0, missing: counts.missing, stored: storedOf(type) }
    if (counts.kept > 0) kept.push({ type, count: counts.kept, why: 'rejected' })
    const unsure = doubts.whyUnsure(type)
    const isKept = unsure === undefined && loss.missing > 0 && mayLose?.(loss) === false
    const why = isKept ? 'source_gone' : unsure
    if (why === undefined) replaced.push(type)
    else if (loss.missing > 0) kept.push({ type, count: loss.missing, why })
  }
  return { replaced, kept }
}

async function shadowedIn(storage: Store): Promise<number> {
  const { types } = await ownedIn(storage, { limit: 0 })
  return [...types.values()].reduce((sum, { shadowed }) => sum + shadowed, 0)
}
