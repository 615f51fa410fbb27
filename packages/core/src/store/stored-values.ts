/** What the whole storage contract speaks of: entities as they are kept, named values, calls that can be given up. */

export type { EntityKey } from './query/conditions.ts'

/** A value, or a promise of it: engines differ in whether they have to wait. */
export type MaybePromise<T> = T | Promise<T>

/** An entity as engines keep it: addressed, versioned, and serialised once so that reads pass it on unparsed. */
export interface StoredEntity {
  readonly type: string
  readonly id: string
  /** Identifies the content (see `revisionOf`): equal content has equal revisions in every store. */
  readonly revision: string
  /** The whole entity as it goes on the wire, `createdAt`, `updatedAt` and `revision` included. */
  readonly json: string
}

/** Named values: what to keep, or what must stand. Undefined: none of that name. */
export type NamedValues = Readonly<Record<string, string | undefined>>

/** What every method takes as its last argument. */
export interface CallOptions {
  /**
   * The call is given up when it is aborted, and fails with the signal's reason. An engine that cannot be interrupted
   * looks before it begins and between its steps. A write that was given up has happened as a whole or not at all.
   */
  readonly signal?: AbortSignal | undefined
}
