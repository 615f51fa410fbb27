/** Imports all good records into a store atomically, and reports every bad record. */
import {
  type Bulk,
  type ImportCounts,
  ownedIn,
  type Position,
  type Store,
  StoreFault,
  type TypeState,
} from '@worldwright/core/store'
import type { DanglingReport } from './dangling-references.ts'
import type { Kept } from './doubts.ts'
import type { ImportEvent, Rejection } from './events.ts'
import type { ImportOptions, ImportSource, Replaced } from './options.ts'
import { ImportRefused } from './refusals.ts'
import { ImportRun } from './run.ts'
import { closeSources } from './sources.ts'

/** Result of an import, with counts, kept entities and rejected records. */
export interface ImportResult extends ImportCounts {
  /** Change log offset after the commit, absent after a dry run. */
  readonly position?: Position
  /** Entities kept although they are missing from the sources, in ascending order of type. */
  readonly kept: readonly Kept[]
  /** Number of entities that differ from the sources because changes or deletions by other writers were kept. */
  readonly shadowed: number
  /** Number of records that were not loaded. */
  readonly rejected: number
  /** First twenty rejections. */
  readonly rejections: readonly Rejection[]
  /** Sentences on columns that are gone from a source or new in it, so that records are rejected. */
  readonly columns: readonly string[]
  /** Number of warnings. */
  readonly warned: number
  /** Sentences on what the sources hold and the load leaves out by intent, such as cells that mean empty, with counts. */
  readonly notes: readonly string[]
  /** Types of the good records, in ascending order. */
  readonly types: readonly string[]
  /** Dangling references of the loaded entities. */
  readonly references: DanglingReport
}

/**
 * Loads all good records atomically, so that readers of the store see either none or all of them. Bad records are skipped.
 * Closes the sources at the end. A store with type inference (see `withTypeInference`) infers schemas from the records.
 * @throws SourceFault if a source cannot be read to its end, ImportStopped if `onInvalid` is `stop` and a record is bad,
 *   ImportRefused if more than `maxRejected` records are bad, TypeUnread, or ImportShrunk; then nothing is loaded
 */
export async function* importRecords(
  store: Store,
  sources: readonly ImportSource[],
  options: ImportOptions = {},
): AsyncGenerator<ImportEvent, ImportResult> {
  const { files } = options
  const staged = await store.bulk(files && { files })
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
    run.noteColumns()
    yield* run.events()
    if (run.rejected > (options.maxRejected ?? Number.POSITIVE_INFINITY))
      throw new ImportRefused(run.rejected, run.rejections, [...run.columns])
    if (!options.dryRun) yield run.progress('placing')
    const { counts, kept } = await commit(store, staged, run, options)
    return {
      ...counts,
      kept,
      shadowed: files ? await shadowedIn(store) : 0,
      rejected: run.rejected,
      rejections: run.rejections,
      columns: [...run.columns],
      warned: run.warned,
      notes: [...run.notes],
      types: [...run.loaded.keys()].sort(),
      references: options.dryRun
        ? { dangling: [], count: 0, incomplete: true }
        : await run.references.report(store),
    }
  } catch (error) {
    yield* run.events()
    throw error
  } finally {
    // A failure is harmless, since the store itself removes staged leftovers.
    await Promise.resolve(staged.abort()).catch(() => {})
    await closeSources(sources)
  }
}

/** Maximum number of commit attempts during concurrent writes. */
const ATTEMPTS = 5

async function commit(store: Store, staged: Bulk, run: ImportRun, options: ImportOptions) {
  const wanted = run.wanted()
  const keys = run.doubts.keysIn(wanted)
  if (keys.length > 0) await staged.add([], { keep: keys })
  for (let attempt = 1; ; attempt++) {
    const states = await store.types()
    await options.beforeCommit?.()
    const what = await replacing(staged, run, wanted, states, options)
    const { replaced: replace } = what
    if (options.dryRun) return { counts: await staged.commit({ replace, dryRun: true }), ...what }
    const versions = new Map(wanted.map((type) => [type, states.get(type)?.version ?? '']))
    const values = options.metadata?.({ ...what, rejected: run.rejected, outcomes: run.outcomes, versions })
    try {
      const counts = await staged.commit({
        replace,
        values,
        ...((options.files ?? options.metadata) && { ifVersions: versions }),
      })
      return { counts, ...what }
    } catch (error) {
      const isStale = error instanceof StoreFault && error.code === 'stale'
      if (!isStale || attempt === ATTEMPTS) throw error
    }
  }
}

/** Decides which types in `wanted` are replaced, and which of their entities are kept. */
async function replacing(
  staged: Bulk,
  { loaded, doubts }: ImportRun,
  wanted: readonly string[],
  states: ReadonlyMap<string, TypeState>,
  { mayLose }: ImportOptions,
): Promise<Replaced> {
  const storedOf = (type: string) => states.get(type)?.count ?? 0
  // Counting visits every entity, so it is done only if the result matters.
  const isCounted = (type: string) =>
    doubts.hasKeys ||
    doubts.whyUnsure(type) !== undefined ||
    (mayLose !== undefined && storedOf(type) > (loaded.get(type) ?? 0))
  const counted = wanted.filter((type) => storedOf(type) > 0 && isCounted(type))
  const unstaged = await staged.unstaged?.(counted)
  const replaced: string[] = []
  const kept: Kept[] = []
  for (const type of wanted) {
    // If the engine does not count, this is a lower bound.
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

async function shadowedIn(store: Store): Promise<number> {
  const { types } = await ownedIn(store, { limit: 0 })
  return [...types.values()].reduce((sum, { shadowed }) => sum + shadowed, 0)
}
