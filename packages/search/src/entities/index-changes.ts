import type { EntityChange, EntityKey, IndexRules } from '@worldwright/core/store'
import type { SearchDocument } from '../port/document.ts'
import type { IndexWriter } from '../write/index-writer.ts'
import type { ReadEntity } from './answer-query.ts'
import { addedDocument, removedDocument } from './search-document.ts'

/** Returns an entity's JSON as recorded in a change: an empty string if the entity is damaged, or undefined if absent. */
export function jsonOf(standing: ReadEntity): EntityChange['before'] {
  return standing === 'damaged' ? '' : standing?.json
}

/** Flush thresholds, in changes and in characters. They correspond to tens of megabytes of entities. */
const KEPT = 50_000
const KEPT_CHARACTERS = 32_000_000

/** Collects entity changes and coalesces them, so that the index changes once per entity. */
export class IndexChanges {
  readonly #writer: IndexWriter
  readonly #rules: IndexRules
  readonly #moment: number
  /** Segments that existed before the first flush, or undefined until then. */
  #known: Set<number> | undefined
  #changes = new Map<string, EntityChange>()
  #characters = 0

  /**
   * Starts collecting changes for an index built with these rules. `moment` is the time assumed for entities
   * without timestamps, in milliseconds since 1970.
   */
  constructor(writer: IndexWriter, rules: IndexRules, moment = Number.POSITIVE_INFINITY) {
    this.#writer = writer
    this.#rules = rules
    this.#moment = moment
  }

  /** Adds a change. Its `before` must equal the `after` of the entity's previous change. */
  note(change: EntityChange): void {
    const { type, id, before, after } = change
    const key = `${type} ${id}`
    const earlier = this.#changes.get(key)
    this.#changes.set(key, earlier ? { type, id, before: earlier.before, after } : change)
    this.#characters += (before?.length ?? 0) + (after?.length ?? 0)
    if (this.#changes.size < KEPT && this.#characters < KEPT_CHARACTERS) return
    this.#known ??= this.#writer.segments()
    this.#flush()
  }

  /** Writes the collected changes. Must be the last call. */
  finish(): void {
    this.#flush()
    // Merging into one large segment now costs less than searching many medium-sized ones until the next merge.
    if (this.#known) this.#writer.mergeAll(this.#known)
  }

  #flush(): void {
    const removed: SearchDocument[] = []
    const added: SearchDocument[] = []
    const unreadable: EntityKey[] = []
    for (const change of this.#changes.values()) {
      const { type, id, before, after } = change
      if (before === after) continue
      if (before === '') unreadable.push({ type, id })
      else if (before !== undefined) removed.push(removedDocument(type, before, this.#rules))
      if (after !== undefined) added.push(addedDocument({ type, before, after }, this.#rules, this.#moment))
    }
    this.#changes = new Map()
    this.#characters = 0
    this.#writer.change(removed, added, unreadable)
  }
}
