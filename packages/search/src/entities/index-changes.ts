/** Collects changes of entities for the search index, within one transaction. */

import type { EntityChange, EntityKey, IndexRules } from '@worldwright/core/store'
import type { SearchDocument } from '../port/document.ts'
import type { IndexWriter } from '../write/index-writer.ts'
import type { ReadEntity } from './answer-query.ts'
import { addedDocument, removedDocument } from './search-document.ts'

/** Returns the state of an entity as changes express it: empty if it is damaged, undefined if it does not exist. */
export function jsonOf(standing: ReadEntity): EntityChange['before'] {
  return standing === 'damaged' ? '' : standing?.json
}

/** Maximum number of changes and of their characters before they become a segment: some tens of megabytes of entities. */
const KEPT = 50_000
const KEPT_CHARACTERS = 32_000_000

/** Collects changes of entities; however often an entity changes, the index changes once. */
export class IndexChanges {
  readonly #writer: IndexWriter
  readonly #rules: IndexRules
  readonly #moment: number
  /** Segments that existed before; undefined until the first flush. */
  #known: Set<number> | undefined
  #changes = new Map<string, EntityChange>()
  #characters = 0

  /**
   * Starts to collect changes of an index that is built by these rules. `moment`: their time, in milliseconds since 1970;
   * needed if changes come without times.
   */
  constructor(writer: IndexWriter, rules: IndexRules, moment = Number.POSITIVE_INFINITY) {
    this.#writer = writer
    this.#rules = rules
    this.#moment = moment
  }

  /** Adds a change, which must start from the state that the previous change of the same entity left. */
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

  /** Writes the changes. Call it last. */
  finish(): void {
    this.#flush()
    // One large segment instead of many medium ones: cheaper now than with every search until the next merge.
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
