/** Plan for applying staged upstream changes. Changes are added as they arrive, so that the index is built meanwhile. */
import type { EntityChange, EntityKey } from '@worldwright/core/store'
import { IndexChanges } from '@worldwright/search/entities'
import type { FollowedRows } from './followed-rows.ts'
import type { ImportParts } from './import-parts.ts'
import { ImportPlan, noteAll, PreparedIndex } from './import-plan.ts'
import { reading } from './transaction.ts'

type Parts = Pick<ImportParts, 'db' | 'state' | 'writer'>

/** Maximum number of entities in `#late`. If there are more, the whole plan is rebuilt at the end. */
const MAX_LATE = 20_000

/** Owns the plan of one takeover and the thread that builds its index. */
export class FollowedPlan {
  readonly #parts: Parts
  #plan: ImportPlan<PreparedIndex> | undefined
  /** Changes to entities that changed more than once, kept apart because the index build accepts each entity only once. */
  readonly #late = new Map<string, EntityChange>()

  /** Starts an empty plan, based on the store's current content. */
  constructor(parts: Parts) {
    this.#parts = parts
    this.#plan = this.#empty()
  }

  /** Adds the first change to an entity. */
  note(change: EntityChange): void {
    this.#plan?.note(change)
  }

  /** Adds a further change to an entity. `earlier` is the JSON of the previous change, from `FollowedRows.put`. */
  noteAgain({ type, id }: EntityKey, earlier: string, after: string | undefined): void {
    if (!this.#plan) return
    const key = `${type} ${id}`
    const known = this.#late.get(key)
    this.#late.set(key, { type, id, before: known ? known.before : earlier || undefined, after })
  }

  /** Resolves when the plan can accept more changes. */
  async ready(): Promise<void> {
    if (this.#late.size > MAX_LATE) await this.discard()
    await this.#plan?.index.ready()
  }

  /** Completes the plan, including deletions of all entities of the `replaced` types that have no staged change. */
  async finish(rows: FollowedRows, replaced: readonly string[]): Promise<void> {
    if (!reading(this.#parts.db, () => this.#plan?.holds(replaced))) await this.discard()
    const plan = this.#plan ?? this.#empty()
    if (this.#plan === undefined) {
      this.#plan = plan
      await noteAll(plan, rows.changes())
    }
    await noteAll(plan, rows.missing(replaced))
    await plan.index.finish()
  }

  /** Writes the index in the commit's transaction. Returns the change in entity count by type. */
  publish(): ReadonlyMap<string, number> {
    const { writer, state } = this.#parts
    const growth = new Map(this.#plan?.growth)
    this.#plan?.index.publish(new IndexChanges(writer, state.indexRules()))
    const late = new IndexChanges(writer, state.indexRules())
    for (const change of this.#late.values()) {
      const { type, before, after } = change
      late.note(change)
      const delta = (after === undefined ? 0 : 1) - (before === undefined ? 0 : 1)
      growth.set(type, (growth.get(type) ?? 0) + delta)
    }
    late.finish()
    return growth
  }

  /** Discards the plan and stops the thread that builds its index. */
  async discard(): Promise<void> {
    const plan = this.#plan
    this.#plan = undefined
    this.#late.clear()
    await plan?.index.discard()
  }

  #empty(): ImportPlan<PreparedIndex> {
    const { db, state, writer } = this.#parts
    return reading(db, () => new ImportPlan(state, new PreparedIndex(db, writer, state.indexRules())))
  }
}
