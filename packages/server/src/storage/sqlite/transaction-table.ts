/** The entities as writes see them: rows, index and counts changed together. */
import type { EntityTable } from '../apply.ts'
import type { MetadataRecord } from '../contract.ts'
import type { IndexChanges } from '../index-changes.ts'
import type { EntityRows } from './entity-rows.ts'
import type { StoreState } from './store-state.ts'

/** A table for one transaction. */
export interface TransactionTable extends EntityTable {
  /** Writes the index, counts, versions and metadata; nothing where nothing changed. Answers the store's version. */
  finish(metadata?: MetadataRecord): string
}

/** Begins a table within the transaction that is open. */
export function transactionTable(
  rows: EntityRows,
  state: StoreState,
  changes: IndexChanges,
): TransactionTable {
  const growth = new Map<string, number>()

  function grow(type: string, delta: number): void {
    growth.set(type, (growth.get(type) ?? 0) + delta)
  }

  return {
    get: rows.get,
    put(entity, isNew) {
      changes.note(isNew ? undefined : rows.get(entity.type, entity.id), entity)
      rows.put(entity)
      grow(entity.type, isNew ? 1 : 0)
    },
    delete(type, id) {
      changes.note(rows.get(type, id), undefined)
      rows.delete(type, id)
      grow(type, -1)
    },
    finish(metadata) {
      changes.finish()
      return state.advance(growth, metadata)
    },
  }
}
