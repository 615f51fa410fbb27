/** Basic values of the store contract: stored entities, named values, cancellable calls. */

export type { EntityKey } from './query/conditions.ts'

/** A value or a promise of it: some engines are synchronous. */
export type MaybePromise<T> = T | Promise<T>

/** An entity as engines keep it: addressed, versioned, and serialised once so that reads pass it on unparsed. */
export interface StoredEntity {
  readonly type: string
  readonly id: string
  /** Identifies the content (see `revisionOf`): equal content has equal revisions in every store. */
  readonly revision: string
  /** The whole entity as sent over the wire, `createdAt`, `updatedAt` and `revision` included. */
  readonly json: string
}

/** Named values, to store or to compare with. Undefined: no value of that name. */
export type NamedValues = Readonly<Record<string, string | undefined>>

/** Options that every method takes as its last argument. */
export interface CallOptions {
  /**
   * Cancels the call when it aborts; the call fails with the signal's reason. An engine that cannot be interrupted checks it
   * before it begins and between its steps. A cancelled write has happened as a whole or not at all.
   */
  readonly signal?: AbortSignal | undefined
}
