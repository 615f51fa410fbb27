/** Table of entities for writes. Updates rows, log, index and counts together. */
import type { EntityTable, NamedValues, StoredEntity } from '@worldwright/core/store'
import type { IndexChanges } from '@worldwright/search/entities'
import type { EntityRows } from './entity-rows.ts'
import { endWrite, type IndexParts } from './index-from-entities.ts'
import type { LogRows } from './log-rows.ts'
import type { PrecedenceRows } from './precedence-rows.ts'
import type { Advance } from './store-state.ts'

/** Components used by the table. */
export interface TableParts extends IndexParts {
  readonly rows: EntityRows
  readonly log: LogRows
  readonly precedence: PrecedenceRows
  readonly changes: IndexChanges
  /** Time of the write, in milliseconds since 1970. */
  readonly at: number
}

/** Table of entities for a single transaction. */
export class TransactionTable implements EntityTable {
  readonly #parts: TableParts
  readonly #next: number
  readonly #growth = new Map<string, number>()

  /** Joins the open transaction. */
  constructor(parts: TableParts) {
    this.#parts = parts
    this.#next = parts.state.history().number + 1
  }

  get(type: string, id: string): StoredEntity | undefined {
    return this.#parts.rows.standing(type, id)
  }

  /** Stores an entity. `number` is the upstream's write number if the write comes from an upstream. */
  put(entity: StoredEntity, before: StoredEntity | undefined, number = this.#next): void {
    const { rows, log, precedence, changes } = this.#parts
    const { type, id, json } = entity
    precedence.noteWrite(type, id, before)
    changes.note({ type, id, before: before?.json, after: json })
    rows.put(entity, number)
    if (!before) log.forgetDeletion(type, id)
    this.#grow(type, before ? 0 : 1)
  }

  delete(entity: StoredEntity, number = this.#next): void {
    this.#parts.precedence.noteDeletion(entity)
    this.forget(entity)
    this.recordDeletion(entity.type, entity.id, number)
  }

  /** Records a tombstone for an entity that is not stored. */
  recordDeletion(type: string, id: string, number: number): void {
    this.#parts.log.recordDeletion(type, id, number, this.#parts.at)
    this.#grow(type, 0)
  }

  /** Removes an entity without a tombstone, as if it had never existed. */
  forget({ type, id, json }: StoredEntity): void {
    const { rows, changes } = this.#parts
    changes.note({ type, id, before: json, after: undefined })
    rows.delete(type, id)
    this.#grow(type, -1)
  }

  /** Writes the index, counts, offsets and values, unless nothing has changed. Must be called last. */
  finish(values?: NamedValues, followed?: Advance): void {
    const { changes } = this.#parts
    changes.finish()
    endWrite(this.#parts, this.#growth, values, followed)
  }

  #grow(type: string, delta: number): void {
    this.#growth.set(type, (this.#growth.get(type) ?? 0) + delta)
  }
}
