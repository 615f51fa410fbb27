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
 * Loads all good records atomically, so that readers of the store see either none or all of them; with `mayCommit`, type by
 * type. Bad records are skipped.
 * Closes the sources at the end. A store with type inference (see `withTypeInference`) infers schemas from the records.
 * @throws SourceFault if a source cannot be read to its end, ImportStopped if `onInvalid` is `stop` and a record is bad,
 *   ImportRefused if more than `maxRejected` records are bad, TypeUnread, or ImportShrunk; then nothing more is loaded
 */
export async function* importRecords(
  store: Store,
  sources: readonly ImportSource[],
  options: ImportOptions = {},
): AsyncGenerator<ImportEvent, ImportResult> {
  const { files } = options
  let staged = await store.bulk(files && { files })
  const run = new ImportRun(sources, options)
  const parts: Committed[] = []
  try {
    for (const [at, source] of sources.entries()) {
      for await (const batch of run.batchesOf(source)) {
        await run.stage(staged, source, batch)
        options.signal?.throwIfAborted()
        yield* run.events()
        yield run.progress('reading')
      }
      const entities = [...run.filled].reduce((sum, type) => sum + (run.loaded.get(type) ?? 0), 0)
      if (!options.mayCommit?.(run.filled, at, entities)) continue
      parts.push(await commit(store, staged, run, options, { parts, isLast: false }))
      for (const type of run.filled) run.committed.add(type)
      run.filled.clear()
      yield { event: 'filled', types: [...run.committed] }
      staged = await store.bulk(files && { files })
    }
    options.signal?.throwIfAborted()
    run.noteColumns()
    yield* run.events()
    if (run.rejected > (options.maxRejected ?? Number.POSITIVE_INFINITY))
      throw new ImportRefused(run.rejected, run.rejections, [...run.columns])
    if (!options.dryRun) yield run.progress('placing')
    parts.push(await commit(store, staged, run, options, { parts, isLast: true }))
    return {
      ...sumOf(parts),
      kept: keptIn(parts),
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

/** Outcome of a commit. */
interface Committed extends Replaced {
  readonly counts: ImportCounts & { readonly position?: Position }
}

/** The earlier commits of an import, and whether everything is read. */
interface Progress {
  readonly parts: readonly Committed[]
  readonly isLast: boolean
}

async function commit(
  store: Store,
  staged: Bulk,
  run: ImportRun,
  options: ImportOptions,
  { parts, isLast }: Progress,
): Promise<Committed> {
  const wanted = wantedTypes(run, options, isLast)
  const keys = run.doubts.keysIn(wanted)
  if (keys.length > 0) await staged.add([], { keep: keys })
  for (let attempt = 1; ; attempt++) {
    const states = await store.types()
    await options.beforeCommit?.()
    const what = await replacing(staged, run, wanted, states, options)
    const { replaced: replace } = what
    if (options.dryRun) return { counts: await staged.commit({ replace, dryRun: true }), ...what }
    const versionsOf = (types: Iterable<string>) =>
      new Map([...types].map((type) => [type, states.get(type)?.version ?? '']))
    const versions = versionsOf(wanted)
    const { rejected, outcomes } = run
    const kept = keptIn([...parts, what])
    const earlier = versionsOf(run.committed)
    const values = options.metadata?.({ ...what, kept, rejected, outcomes, versions, earlier, isLast })
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

/** Returns the types whose missing entities are deleted, in ascending order, or an empty array without `replace`. */
function wantedTypes(
  { filled, committed }: ImportRun,
  { replace = false, previousTypes = [] }: ImportOptions,
  isLast: boolean,
): string[] {
  if (!replace) return []
  const previous = isLast ? previousTypes.filter((type) => !committed.has(type)) : []
  return [...new Set([...filled, ...previous])].sort()
}

function sumOf(parts: readonly Committed[]): Committed['counts'] {
  const sum = (name: keyof ImportCounts) => parts.reduce((all, { counts }) => all + counts[name], 0)
  const [created, changed, unchanged, deleted] = [
    sum('created'),
    sum('changed'),
    sum('unchanged'),
    sum('deleted'),
  ]
  return { ...parts.at(-1)?.counts, created, changed, unchanged, deleted }
}

function keptIn(parts: readonly Pick<Replaced, 'kept'>[]): Kept[] {
  return parts.flatMap(({ kept }) => kept).sort((one, other) => (one.type < other.type ? -1 : 1))
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
