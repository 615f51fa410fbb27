/** How a storage engine fails. */
import type { EntityKey } from './stored-values.ts'

/** Why an engine could not do its work. */
export type StorageFaultCode =
  /** Another writer held the store for two seconds, or this import expired; trying again may work. */
  | 'busy'
  /** Too much waits already; nothing was done. Trying again later may work. */
  | 'overloaded'
  /** A type has another version, or a named value is another, than this was decided by; nothing was written. Decide again. */
  | 'stale'
  /** What was asked for lies before what is still known of deletions, or in another history. */
  | 'expired'
  /** A text that should be a place among the changes is none. */
  | 'invalid_place'
  /** The disk, or a limit of it, is full; nothing was written. */
  | 'full'
  /** The disk failed; what was to be written was not, unless the message says that nobody knows. */
  | 'io'
  /** The process that was to write gave no answer: whether it wrote is open. */
  | 'undecided'
  /** The database that keeps the store gives no answer; what it was to write was not written. What this node has of it can be read. */
  | 'unreachable'
  /** The file of the store lies no more where it was opened, or another one does: what it holds can be read, not written. */
  | 'file_gone'
  /** The cluster that keeps the search index gives no answer: no search can be answered. Nothing else is affected. */
  | 'search_unreachable'
  /** The question is one that this store cannot answer, such as one that needs an index where it has none. */
  | 'unsupported'
  /** The search index is damaged, or is just being built again: no search can be answered. Nothing else is affected. */
  | 'index_rebuilding'
  /** The store was written by a newer format than this engine knows. */
  | 'newer_format'
  /** What is stored is not what was written: one entity, where the fault names it, or a part of the file. */
  | 'damaged'
  /** The file is not one of our stores. Nothing of it was touched. */
  | 'not_a_store'
  /** The store was opened for reading alone, or its file may not be written. */
  | 'read_only'
  /** The SQLite library in this runtime is one known to corrupt data. */
  | 'unsafe_engine'

/** A storage engine's failure: a code to branch on, and a message that says what to do. */
export class StorageFault extends Error {
  override readonly name = 'StorageFault'
  readonly code: StorageFaultCode
  /** Which entity is `damaged`; undefined if it is not one alone. */
  readonly entity: EntityKey | undefined

  constructor(
    code: StorageFaultCode,
    message: string,
    options?: ErrorOptions & { readonly entity?: EntityKey | undefined },
  ) {
    super(message, options)
    this.code = code
    this.entity = options?.entity
  }
}

/**
 * Too much waits already. It is made once, for all: those that are refused come in thousands a second, and a stack for each
 * would be one more load.
 */
export const OVERLOADED_FAULT = new StorageFault('overloaded', 'Too much waits already. Try again.')

/** The fault of an entity that is not what was written. */
export function damagedEntity({ type, id }: EntityKey): StorageFault {
  const message = `${type} ${id} is damaged: what is stored is not what was written. Put it again, or restore a backup.`
  return new StorageFault('damaged', message, { entity: { type, id } })
}
