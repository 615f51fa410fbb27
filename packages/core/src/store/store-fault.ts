/** Failures of a storage engine. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { EntityKey } from './stored-values.ts'

/** Failure codes of storage engines. */
export type StoreFaultCode =
  /** Another writer held the store for two seconds, or this import expired; a retry may succeed. */
  | 'busy'
  /** Too much work is queued; nothing was done. A later retry may succeed. */
  | 'overloaded'
  /** An expected type version or named value has changed; nothing was written. Read the new state before a retry. */
  | 'stale'
  /** The offset is older than the remembered tombstones, or belongs to another history. */
  | 'expired'
  /** The offset is malformed. */
  | 'invalid_offset'
  /** The disk, or a quota on it, is full; nothing was written. */
  | 'full'
  /** The disk failed; nothing was written, unless the message says that this is unknown. */
  | 'io'
  /** The writing process did not answer, so it is unknown whether anything was written. */
  | 'undecided'
  /** The database behind the store does not answer; nothing was written. The replica on this node can still be read. */
  | 'unreachable'
  /** The store's file was removed or replaced. The old content can still be read, but nothing can be written. */
  | 'file_gone'
  /** The cluster with the search index does not answer, so searches fail. Nothing else is affected. */
  | 'search_unreachable'
  /** The store cannot answer this query, for example because it has no index. */
  | 'unsupported'
  /** The search index is damaged, or being rebuilt, so searches fail. Nothing else is affected. */
  | 'index_rebuilding'
  /** The store was written in a newer format than this engine knows. */
  | 'newer_format'
  /** Stored data differ from the data written: one entity, if the fault names it, or a part of the file. */
  | 'damaged'
  /** The file is not a store. It was not changed. */
  | 'not_a_store'
  /** The store was opened for reading, or its file is not writable. */
  | 'read_only'
  /** The version of SQLite in this runtime is known to corrupt data. */
  | 'unsafe_engine'

type FaultOptions = ErrorOptions & Partial<Pick<StoreFault, 'entity' | 'details'>>

/** Storage engine failure, with a code to branch on and a message that says what to do. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault'
  readonly code: StoreFaultCode
  /** Damaged entity; undefined if the damage is not limited to one entity. */
  readonly entity: EntityKey | undefined
  /** Members for the `details` of an error response. */
  readonly details: JsonObject | undefined

  constructor(code: StoreFaultCode, message: string, options?: FaultOptions) {
    super(message, options)
    this.code = code
    this.entity = options?.entity
    this.details = options?.details
  }
}

/** Fault for a full queue. All refusals share it, because capturing a stack trace for each would add to the load. */
export const OVERLOADED_FAULT = new StoreFault('overloaded', 'Too much waits already. Try again.')

/** Creates the fault for a damaged entity. */
export function damagedEntity({ type, id }: EntityKey): StoreFault {
  const message = `${type} ${id} is damaged: what is stored is not what was written. Put it again, or restore a backup.`
  return new StoreFault('damaged', message, { entity: { type, id } })
}
