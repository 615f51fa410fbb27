/**
 * Committing a large import: the search index of what changes is written beforehand, in small transactions that nobody
 * sees, so that the one transaction that counts only puts rows in place.
 */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { SearchDocument } from '../../search/document.ts'
import type { Draft, IndexWriter } from '../../search/writer.ts'
import { refuseStale } from '../apply.ts'
import { type CommitOptions, type ImportCounts, StorageFault } from '../contract.ts'
import { timestampOf } from '../prepared.ts'
import { searchDocumentOf } from '../search-text.ts'
import { WEIGHTS_KEY, weightsOfText } from '../search-weights.ts'
import { BATCH, type Staging } from './staging.ts'
import type { StoreState } from './store-state.ts'
import { reading, writing } from './transaction.ts'

/** What a large commit works on. */
export interface LargeCommitParts {
  readonly db: DatabaseSync
  readonly staging: Staging
  readonly state: StoreState
  readonly writer: IndexWriter
  readonly now: () => Date
}

/** Fewer changes than this are indexed within the transaction: they hold the lock for some tenths of a second. */
const SMALL = 2_000

/** Changes in one draft. Taken apart for the index, an entity needs ten times the room of its text. */
const DRAFT_SIZE = 4_000

/** Drafts that are merged together, and how much larger the next class of them is: a merge looks at all of them each time. */
const FAN = 16

/** How long one step of merging drafts holds the lock, in milliseconds. */
const STEP_MS = 10

/** How often the preparation is begun again because somebody wrote the same types meanwhile. */
const ATTEMPTS = 3

/**
 * Commits an import of many changes. Undefined, with nothing done, where there are few, or where others keep writing
 * the same types: then it is for one transaction to do it all. @throws StorageFault `busy`, `full`
 */
export async function commitLarge(
  parts: LargeCommitParts,
  number: number,
  options: CommitOptions,
): Promise<ImportCounts | undefined> {
  const replace = new Set(options.replace)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plan = await prepare(parts, number, replace)
    if (plan === undefined) return undefined
    const counts = await writing(parts.db, () => swap(parts, number, options, plan))
    if (counts !== undefined) return counts
  }
  return undefined
}

/** What will happen, and the index of it. */
interface Plan {
  readonly counts: ImportCounts
  /** By how many each type that changes grows. */
  readonly growth: ReadonlyMap<string, number>
  /** The versions of all types when the comparison began. */
  readonly versions: ReadonlyMap<string, string>
  /** The types that were looked at. */
  readonly types: ReadonlySet<string>
  readonly draft: Draft
  /** The weights that the draft is built by. */
  readonly weights: string | undefined
}

async function prepare(
  parts: LargeCommitParts,
  number: number,
  replace: ReadonlySet<string>,
): Promise<Plan | undefined> {
  const { db, state, writer } = parts
  const weights = reading(db, () => state.metadata(WEIGHTS_KEY))
  const weightsOf = weightsOfText(weights)
  const versions = new Map([...reading(db, state.types)].map(([type, { version }]) => [type, version]))
  const counts = { created: 0, changed: 0, unchanged: 0, deleted: 0 }
  const growth = new Map<string, number>()
  const types = new Set(replace)
  const drafts = draftPile(parts)
  let removed: SearchDocument[] = []
  let added: SearchDocument[] = []
  const grow = (type: string, delta: number) => growth.set(type, (growth.get(type) ?? 0) + delta)
  const draft = async () => {
    const [gone, come] = [removed, added]
    removed = []
    added = []
    if (gone.length + come.length > 0) await drafts.add(await writing(db, () => writer.draft(gone, come)))
  }
  for await (const { type, before, after } of changes(parts, number, replace, types)) {
    if (before === after) {
      counts.unchanged += 1
      continue
    }
    if (before !== null) removed.push(searchDocumentOf(JSON.parse(before), weightsOf[type]))
    if (after !== null) added.push(searchDocumentOf(JSON.parse(after), weightsOf[type]))
    counts[before === null ? 'created' : after === null ? 'deleted' : 'changed'] += 1
    grow(type, before === null ? 1 : after === null ? -1 : 0)
    if (removed.length + added.length >= DRAFT_SIZE) await draft()
  }
  if (drafts.isEmpty() && removed.length + added.length < SMALL) return undefined
  await draft()
  return { counts, growth, versions, types, draft: await drafts.whole(), weights }
}

/** Drafts on their way to become one: of each class, never as many as are merged together. */
function draftPile(parts: LargeCommitParts) {
  const classes: Draft[][] = []
  const add = async (draft: Draft, size = 0): Promise<void> => {
    const same = classes[size] ?? []
    classes[size] = same
    same.push(draft)
    if (same.length < FAN) return
    classes[size] = []
    await add(await oneDraft(parts, same), size + 1)
  }
  return {
    add,
    isEmpty: () => classes.length === 0,
    whole: () => oneDraft(parts, classes.flat()),
  }
}

async function oneDraft({ db, writer }: LargeCommitParts, drafts: readonly Draft[]): Promise<Draft> {
  const [only] = drafts
  if (only !== undefined && drafts.length === 1) return only
  const steps = writer.mergeDrafts(drafts)
  for (;;) {
    const merged = await writing(db, () => {
      const end = performance.now() + STEP_MS
      for (;;) {
        const step = steps.next()
        if (step.done) return step.value
        if (performance.now() >= end) return undefined
      }
    })
    if (merged) return merged
    await turn()
  }
}

/** One staged or left over entity: JSON of what stands and of what will stand; the same where nothing changes. */
interface Change {
  readonly type: string
  readonly before: string | null
  readonly after: string | null
}

/** Everything the commit would touch or leave, a few rows at a time, so that others have their turn. */
async function* changes(
  { db, staging }: LargeCommitParts,
  number: number,
  replace: ReadonlySet<string>,
  types: Set<string>,
): AsyncGenerator<Change> {
  for (let after = { type: '', id: '' }; ; await turn()) {
    const rows = reading(db, () => staging.compared(number, after, BATCH))
    for (const { type, json, content } of rows) {
      types.add(type)
      yield { type, before: json, after: content }
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last
  }
  for (const type of replace) {
    for (let after = ''; ; await turn()) {
      const rows = reading(db, () => staging.leftOver(number, type, after, BATCH))
      for (const { json } of rows) if (json !== null) yield { type, before: json, after: null }
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.id
    }
  }
}

/** The transaction that counts. Undefined, with nothing done, where what was compared has been written since. */
function swap(
  { db, staging, state, writer, now }: LargeCommitParts,
  number: number,
  options: CommitOptions,
  { counts, growth, versions, types, draft, weights }: Plan,
): ImportCounts | undefined {
  const current = state.types()
  refuseStale(options, current)
  const changed = [...types].some((type) => current.get(type)?.version !== versions.get(type))
  if (changed || state.metadata(WEIGHTS_KEY) !== weights) {
    writer.discard(draft)
    return undefined
  }
  if (!staging.end(number)) {
    db.exec('ROLLBACK')
    throw new StorageFault(
      'busy',
      'Another process took this import for forgotten and ended it. Start it again.',
    )
  }
  staging.putAll(number, timestampOf(now()))
  for (const type of new Set(options.replace)) staging.deleteLeftOver(number, type)
  writer.publish(draft)
  state.advance(growth)
  state.note(options.notes)
  return counts
}
