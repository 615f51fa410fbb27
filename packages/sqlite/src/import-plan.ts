/** Plan of the commit of an import: collected in batches beforehand, so that one short transaction can apply it. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { EntityChange, EntityKey, ImportCounts, IndexRules, TypeState } from '@worldwright/core/store'
import { RULES_KEY } from '@worldwright/core/store'
import type { IndexWriter, UnpublishedSegment } from '@worldwright/search'
import type { IndexChanges } from '@worldwright/search/entities'
import { IndexBuild } from './index-build.ts'
import { withFaults } from './sqlite-faults.ts'
import type { StoreState } from './store-state.ts'

/** Fewer changes than this, with fewer characters, are indexed within the transaction: it takes some tenths of a second. */
const SMALL = 2_000
const SMALL_CHARACTERS = 4_000_000

/** The part of a commit that updates the search index. */
interface PlannedIndex {
  note(change: EntityChange): void
}

/** Counts changes of entities, and remembers the state that they depend on. */
export class ImportPlan<Index extends PlannedIndex> {
  /** Result of the commit. */
  readonly counts = { created: 0, changed: 0, unchanged: 0, deleted: 0 } satisfies ImportCounts
  /** Growth of each type that changes, in entities. */
  readonly growth = new Map<string, number>()
  /** Damaged entities that are put again. */
  readonly damaged: EntityKey[] = []
  readonly index: Index
  readonly #state: StoreState
  readonly #states: ReadonlyMap<string, TypeState>
  readonly #rules: string | undefined
  /** Types of all entities in the plan. */
  readonly types = new Set<string>()

  /** Begins with the current content of the store. */
  constructor(state: StoreState, index: Index) {
    this.index = index
    this.#state = state
    this.#states = state.types()
    this.#rules = state.value(RULES_KEY)
  }

  /** Adds the change of an entity: at most one for each entity. */
  note(change: EntityChange): void {
    const { type, id, before, after } = change
    this.types.add(type)
    if (before === after) {
      this.counts.unchanged += 1
      return
    }
    if (before === '') this.damaged.push({ type, id })
    const kind = before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed'
    const delta = { created: 1, changed: 0, deleted: -1 }[kind]
    this.counts[kind] += 1
    this.growth.set(type, (this.growth.get(type) ?? 0) + delta)
    this.index.note(change)
  }

  /**
   * Reports whether the plan still holds: the rules are the same, and the types of the plan and the replaced types have not
   * been written, even if none of their entities is in the plan.
   */
  holds(replaced: readonly string[]): boolean {
    const states = this.#state.types()
    const isSame = (type: string) => states.get(type)?.version === this.#states.get(type)?.version
    return this.#state.value(RULES_KEY) === this.#rules && [...this.types, ...replaced].every(isSame)
  }
}

/** Index of a plan: built in a thread meanwhile if there is much of it, else within the transaction. */
export class PreparedIndex implements PlannedIndex {
  readonly #db: DatabaseSync
  readonly #writer: IndexWriter
  readonly #rules: IndexRules
  #changes: EntityChange[] = []
  #characters = 0
  #build: IndexBuild | undefined
  #segment: UnpublishedSegment | undefined

  /** Begins an index with these rules. */
  constructor(db: DatabaseSync, writer: IndexWriter, rules: IndexRules) {
    this.#db = db
    this.#writer = writer
    this.#rules = rules
  }

  note(change: EntityChange): void {
    this.#changes.push(change)
    this.#characters += (change.before?.length ?? 0) + (change.after?.length ?? 0)
  }

  /** Resolves when more can be noted. */
  async ready(): Promise<void> {
    if (this.#changes.length >= SMALL || this.#characters >= SMALL_CHARACTERS) await this.#flush()
  }

  /** Resolves when all of it can be published. Nothing can be noted afterwards. */
  async finish(): Promise<void> {
    if (!this.#build) return
    await this.#flush()
    this.#segment = await this.#build.finish()
  }

  /** Reports whether the index can be published as of this moment; see `IndexWriter.canPublish`. */
  fits(moment: number): boolean {
    return this.#segment === undefined || this.#writer.canPublish(this.#segment, moment)
  }

  /**
   * Writes the index, in the transaction of the commit; a small one goes to `changes`. `moment`: that of the commit; absent if
   * all noted changes have their times.
   */
  publish(changes: IndexChanges, moment?: number): void {
    if (this.#segment) {
      this.#writer.publish(this.#segment, moment)
      return
    }
    for (const change of this.#changes) changes.note(change)
    changes.finish()
  }

  /** Discards what was written. */
  async discard(): Promise<void> {
    await this.#build?.discard()
  }

  async #flush(): Promise<void> {
    this.#build ??= new IndexBuild(this.#db, this.#writer, this.#rules)
    const changes = this.#changes
    this.#changes = []
    this.#characters = 0
    await this.#build.add(changes)
  }
}

/** Notes changes, a batch at a time, so that other work has its turn. */
export async function noteAll(
  plan: ImportPlan<Pick<PreparedIndex, 'note' | 'ready'>>,
  batches: Iterator<readonly EntityChange[]>,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const { done, value } = withFaults(() => batches.next())
    if (done) return
    for (const change of value) plan.note(change)
    await plan.index.ready()
    await turn()
    signal?.throwIfAborted()
  }
}
