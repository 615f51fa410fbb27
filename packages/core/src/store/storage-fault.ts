/** Failures of a storage engine. */
import type { EntityKey } from './stored-values.ts'

/** Codes of a storage engine's failures. */
export type StorageFaultCode =
  /** Another writer held the store for two seconds, or this import expired; a retry may succeed. */
  | 'busy'
  /** Too much work is queued; nothing was done. A later retry may succeed. */
  | 'overloaded'
  /** A type version or a named value has changed since the decision; nothing was written. Decide again. */
  | 'stale'
  /** The offset is older than the remembered tombstones, or belongs to another history. */
  | 'expired'
  /** The offset is malformed. */
  | 'invalid_place'
  /** The disk, or a quota on it, is full; nothing was written. */
  | 'full'
  /** The disk failed; nothing was written, unless the message says that this is unknown. */
  | 'io'
  /** The writing process gave no answer: whether it wrote is unknown. */
  | 'undecided'
  /** The database behind the store gives no answer; nothing was written. The replica on this node can be read. */
  | 'unreachable'
  /** The file of the store is no longer at its path, or another file is: its content can be read, not written. */
  | 'file_gone'
  /** The cluster with the search index gives no answer, so searches fail. Nothing else is affected. */
  | 'search_unreachable'
  /** The store cannot answer this query, such as one that needs an index if it has none. */
  | 'unsupported'
  /** The search index is damaged, or being rebuilt, so searches fail. Nothing else is affected. */
  | 'index_rebuilding'
  /** The store was written in a newer format than this engine knows. */
  | 'newer_format'
  /** The stored data differ from what was written: one entity, if the fault names it, or a part of the file. */
  | 'damaged'
  /** The file is not one of our stores. It was not touched. */
  | 'not_a_store'
  /** The store was opened for reading, or its file is not writable. */
  | 'read_only'
  /** The version of SQLite in this runtime is known to corrupt data. */
  | 'unsafe_engine'

/** A storage engine's failure: a code to branch on, and a message that says what to do. */
export class StorageFault extends Error {
  override readonly name = 'StorageFault'
  readonly code: StorageFaultCode
  /** The `damaged` entity; undefined if the damage is not a single entity. */
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
 * Fault of a full queue, shared by all refusals: they come in thousands per second, and a stack trace for each would add to
 * the load.
 */
export const OVERLOADED_FAULT = new StorageFault('overloaded', 'Too much waits already. Try again.')

/** Creates the fault of a damaged entity. */
export function damagedEntity({ type, id }: EntityKey): StorageFault {
  const message = `${type} ${id} is damaged: what is stored is not what was written. Put it again, or restore a backup.`
  return new StorageFault('damaged', message, { entity: { type, id } })
}
