/** Plan of an import's commit. Collected in batches beforehand, so that one short transaction can apply it. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { EntityChange, EntityKey, ImportCounts, IndexRules, TypeState } from '@worldwright/core/store'
import { RULES_KEY } from '@worldwright/core/store'
import type { IndexWriter, UnpublishedSegment } from '@worldwright/search'
import type { IndexChanges } from '@worldwright/search/entities'
import { IndexBuild } from './index-build.ts'
import { withFaults } from './sqlite-faults.ts'
import type { StoreState } from './store-state.ts'

/** Plans below both limits are indexed in the commit transaction, which takes a few tenths of a second. */
const SMALL = 2_000
const SMALL_CHARACTERS = 4_000_000

interface PlannedIndex {
  note(change: EntityChange): void
}

/** Counts the changes to entities, and remembers the store state on which they are based. */
export class ImportPlan<Index extends PlannedIndex> {
  /** Result of the commit. */
  readonly counts = { created: 0, changed: 0, unchanged: 0, deleted: 0 } satisfies ImportCounts
  /** Change in entity count by type, for each type that changes. */
  readonly growth = new Map<string, number>()
  /** Damaged entities that the commit overwrites. */
  readonly damaged: EntityKey[] = []
  readonly index: Index
  readonly #state: StoreState
  readonly #states: ReadonlyMap<string, TypeState>
  readonly #rules: string | undefined
  /** Types of all entities in the plan. */
  readonly types = new Set<string>()

  /** Starts an empty plan, based on the store's current content. */
  constructor(state: StoreState, index: Index) {
    this.index = index
    this.#state = state
    this.#states = state.types()
    this.#rules = state.value(RULES_KEY)
  }

  /** Adds a change to an entity. Each entity may be added at most once. */
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
   * Reports whether the plan is still valid: since it was started, the index rules have not changed, and no type in the plan
   * or in `replaced` has been written.
   */
  holds(replaced: readonly string[]): boolean {
    const states = this.#state.types()
    const isSame = (type: string) => states.get(type)?.version === this.#states.get(type)?.version
    return this.#state.value(RULES_KEY) === this.#rules && [...this.types, ...replaced].every(isSame)
  }
}

/** Index of a plan. A large one is built beforehand in a thread, a small one in the commit transaction. */
export class PreparedIndex implements PlannedIndex {
  readonly #db: DatabaseSync
  readonly #writer: IndexWriter
  readonly #rules: IndexRules
  #changes: EntityChange[] = []
  #characters = 0
  #build: IndexBuild | undefined
  #segments: readonly UnpublishedSegment[] | undefined

  /** Starts an index with the given rules. */
  constructor(db: DatabaseSync, writer: IndexWriter, rules: IndexRules) {
    this.#db = db
    this.#writer = writer
    this.#rules = rules
  }

  note(change: EntityChange): void {
    this.#changes.push(change)
    this.#characters += (change.before?.length ?? 0) + (change.after?.length ?? 0)
  }

  /** Resolves when more changes may be added. */
  async ready(): Promise<void> {
    if (this.#changes.length >= SMALL || this.#characters >= SMALL_CHARACTERS) await this.#flush()
  }

  /** Resolves when the index is ready to publish. No changes may be added afterwards. */
  async finish(): Promise<void> {
    if (!this.#build) return
    await this.#flush()
    this.#segments = await this.#build.finish()
  }

  /** Reports whether the index can be published with `moment` as the commit time; see `IndexWriter.canPublish`. */
  fits(moment: number): boolean {
    return this.#segments?.every((segment) => this.#writer.canPublish(segment, moment)) ?? true
  }

  /**
   * Writes the index in the commit's transaction: a large one as built, a small one through `changes`. `moment` is the time
   * of the commit, or absent if all changes have their own timestamps.
   */
  publish(changes: IndexChanges, moment?: number): void {
    if (this.#segments) {
      for (const segment of this.#segments) this.#writer.publish(segment, moment)
      return
    }
    for (const change of this.#changes) changes.note(change)
    changes.finish()
  }

  /** Discards the index built so far. */
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

/** Adds batches of changes to a plan, waiting after each until the plan can accept more. */
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
