/** Basic types of the store contract: stored entities, named values and call options. */

export type { EntityKey } from './query/conditions.ts'

/** A value or a promise of one, because some engines are synchronous. */
export type MaybePromise<T> = T | Promise<T>

/** An entity in stored form, serialised once so that reads can return it without parsing. */
export interface StoredEntity {
  readonly type: string
  readonly id: string
  /** Identifies the content (see `revisionOf`): equal content has equal revisions in every store. */
  readonly revision: string
  /** Whole entity as sent to clients, including `createdAt`, `updatedAt` and `revision`. */
  readonly json: string
}

/** Named values to store or to compare with. Undefined means that there is no value. */
export type NamedValues = Readonly<Record<string, string | undefined>>

/** Options that every method takes as its last argument. */
export interface CallOptions {
  /**
   * Cancels the call, which then fails with the signal's reason. An engine that cannot be interrupted checks the signal
   * before it begins and between its steps. A cancelled write has been applied either completely or not at all.
   */
  readonly signal?: AbortSignal | undefined
}
