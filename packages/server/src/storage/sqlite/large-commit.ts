/**
 * Committing a large import: the search index of what changes is written beforehand, in small transactions that nobody
 * sees, so that the one transaction that counts only puts rows in place.
 */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { DocumentKey } from '../../search/port/document.ts'
import type { IndexWriter, UnpublishedSegment } from '../../search/write/index-writer.ts'
import { refuseStale } from '../apply.ts'
import { type CommitOptions, type ImportCounts, StorageFault } from '../contract.ts'
import { timestampOf } from '../prepared.ts'
import { WEIGHTS_KEY, weightsOfText } from '../search-weights.ts'
import { beginDrafting, type Drafting } from './drafting.ts'
import type { DraftChange } from './drafting-thread.ts'
import type { Staging } from './staging.ts'
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

/** Fewer changes than this, of fewer characters, are indexed within the transaction: it takes some tenths of a second. */
const SMALL = 2_000
const SMALL_CHARACTERS = 4_000_000

/** How often the preparation is begun again because somebody wrote the same types meanwhile. */
const ATTEMPTS = 3

/** A staged entity against what is stored: JSON of what stands, and of what will stand; the same where nothing changes. */
export interface Change {
  readonly type: string
  readonly id: string
  readonly before: string | null
  readonly after: string | null
}

/** What a commit would do, collected while it is staged; where that is more than a little, with the index of it. */
export interface Preparation {
  /** Takes a change of an entity that no other change is of. Call `ready` after each batch of them. */
  note(change: Change): void
  /** Resolves when more changes can be taken. */
  ready(): Promise<void>
  /** All of it; undefined where there are few changes. Nothing can be noted after it. */
  plan(): Promise<Plan | undefined>
  giveUp(): Promise<void>
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
  readonly draft: UnpublishedSegment
  /** The weights that the draft is built by. */
  readonly weights: string | undefined
}

/** Begins to prepare a commit over what is stored now. */
export function beginPreparation(parts: LargeCommitParts): Preparation {
  const { weights, versions } = reading(parts.db, () => ({
    weights: parts.state.metadata(WEIGHTS_KEY)?.value,
    versions: new Map([...parts.state.types()].map(([type, { version }]) => [type, version])),
  }))
  const counts = { created: 0, changed: 0, unchanged: 0, deleted: 0 }
  const growth = new Map<string, number>()
  const types = new Set<string>()
  let drafting: Drafting | undefined
  let changes: DraftChange[] = []
  let removed: DocumentKey[] = []
  let characters = 0

  const isSmall = () => changes.length < SMALL && characters < SMALL_CHARACTERS

  async function flush(): Promise<void> {
    drafting ??= beginDrafting(parts, weightsOfText(weights))
    const [some, gone] = [changes, removed]
    changes = []
    removed = []
    characters = 0
    await drafting.add(some, gone)
  }

  return {
    note({ type, id, before, after }) {
      types.add(type)
      if (before === after) {
        counts.unchanged += 1
        return
      }
      changes.push([type, before, after])
      characters += (before?.length ?? 0) + (after?.length ?? 0)
      if (before !== null) removed.push({ type, id })
      counts[before === null ? 'created' : after === null ? 'deleted' : 'changed'] += 1
      const delta = before === null ? 1 : after === null ? -1 : 0
      growth.set(type, (growth.get(type) ?? 0) + delta)
    },
    async ready() {
      if (!isSmall()) await flush()
    },
    async plan() {
      if (isSmall() && !drafting) return undefined
      await flush()
      const draft = await drafting?.whole()
      return draft && { counts, growth, versions, types, draft, weights }
    },
    async giveUp() {
      await drafting?.giveUp()
    },
  }
}

/**
 * Commits an import of many changes, from what was prepared while it was staged; absent where that is used up.
 * Undefined, with nothing done, where there are few, or where others keep writing the same types: then it is for one
 * transaction to do it all. @throws StorageFault `stale`, `busy`, `full`
 */
export async function commitLarge(
  parts: LargeCommitParts,
  number: number,
  options: CommitOptions,
  staged: Preparation | undefined,
): Promise<ImportCounts | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const preparation = (attempt === 0 && staged) || beginPreparation(parts)
    try {
      if (preparation !== staged) await compare(parts, number, preparation)
      await withLeftOver(parts, number, options, preparation)
      const plan = await preparation.plan()
      if (plan === undefined) return undefined
      const counts = await writing(parts.db, () => swap(parts, number, options, plan))
      if (counts !== undefined) return counts
    } catch (error) {
      await preparation.giveUp()
      throw error
    }
    await preparation.giveUp()
  }
  return undefined
}

/** Compares all that was staged with what is stored, a few rows at a time, so that others have their turn. */
async function compare(
  { db, staging }: LargeCommitParts,
  number: number,
  preparation: Preparation,
): Promise<void> {
  for (let after = { type: '', id: '' }; ; await turn()) {
    const rows = reading(db, () => staging.compared(number, after))
    for (const { type, id, json, content } of rows)
      preparation.note({ type, id, before: json, after: content })
    await preparation.ready()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
  }
}

/** Notes what is to be deleted: entities of replaced types that were not staged. */
async function withLeftOver(
  { db, staging }: LargeCommitParts,
  number: number,
  { replace = [] }: CommitOptions,
  preparation: Preparation,
): Promise<void> {
  for (const type of new Set(replace)) {
    for (let after = ''; ; await turn()) {
      const rows = reading(db, () => staging.leftOver(number, type, after))
      for (const { id, json } of rows)
        if (json !== null) preparation.note({ type, id, before: json, after: null })
      await preparation.ready()
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.id
    }
  }
}

/** The transaction that counts. Undefined, with nothing done, where what was compared has been written since. */
function swap(
  { staging, state, writer, now }: LargeCommitParts,
  number: number,
  options: CommitOptions,
  { counts, growth, versions, types, draft, weights }: Plan,
): ImportCounts | undefined {
  const current = state.types()
  const valueNow = (key: string) => state.metadata(key)?.value
  refuseStale(options, current, valueNow)
  const changed = [...types].some((type) => current.get(type)?.version !== versions.get(type))
  if (changed || valueNow(WEIGHTS_KEY) !== weights) return undefined
  if (!staging.end(number)) throw lost()
  staging.putAll(number, timestampOf(now()))
  for (const type of new Set(options.replace)) staging.deleteLeftOver(number, type)
  writer.publish(draft)
  state.advance(growth, options.metadata)
  return counts
}

/** What an import says that finds itself over. */
export function lost(): StorageFault {
  return new StorageFault('busy', 'This import was taken for dead, and ended. Start it again.')
}
