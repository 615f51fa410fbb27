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
    put(entity, before) {
      const { type, id, json } = entity
      changes.note({ type, id, before: before?.json, after: json })
      rows.put(entity)
      grow(type, before ? 0 : 1)
    },
    delete({ type, id, json }) {
      changes.note({ type, id, before: json, after: undefined })
      rows.delete(type, id)
      grow(type, -1)
    },
    finish(metadata) {
      changes.finish()
      return state.advance(growth, metadata)
    },
  }
}
