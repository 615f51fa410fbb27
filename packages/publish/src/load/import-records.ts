/** Importing records into a store: every good one in one step, every bad one reported. */
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

/** What an import did, and to which records. */
export interface ImportResult extends ImportCounts {
  /** Where the commit led to. Absent after a dry run. */
  readonly position?: Position
  /** What stays although the sources do not hold it; ascending by type. */
  readonly kept: readonly Kept[]
  /** Entities that stay as others wrote or deleted them, though the sources say something else: how many. */
  readonly shadowed: number
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
    // Whether this fails does not matter: the store removes what is left by itself.
    await Promise.resolve(staged.abort()).catch(() => {})
    await closeSources(sources)
  }
}

/** How often a commit is tried where others write meanwhile. */
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

/** What of these types is to go, and what stays. */
async function replacing(
  staged: Bulk,
  { loaded, doubts }: ImportRun,
  wanted: readonly string[],
  states: ReadonlyMap<string, TypeState>,
  { mayLose }: ImportOptions,
): Promise<Replaced> {
  const storedOf = (type: string) => states.get(type)?.count ?? 0
  // Counting looks at each entity: only where it can matter.
  const isCounted = (type: string) =>
    doubts.hasKeys ||
    doubts.whyUnsure(type) !== undefined ||
    (mayLose !== undefined && storedOf(type) > (loaded.get(type) ?? 0))
  const counted = wanted.filter((type) => storedOf(type) > 0 && isCounted(type))
  const unstaged = await staged.unstaged?.(counted)
  const replaced: string[] = []
  const kept: Kept[] = []
  for (const type of wanted) {
    // An engine that does not count has lost no fewer than these.
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
