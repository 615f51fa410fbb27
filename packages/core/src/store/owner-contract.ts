/**
 * The part of the storage contract that is about who decides: files that are loaded again and again, or whoever else
 * writes the same entities. A type becomes one that files fill with the first import of files that holds it. From then
 * on each write of others, deletions included, makes its entity owned; what others wrote before is owned as well.
 */
import type { CallOptions, EntityKey } from './stored-values.ts'

/**
 * Who decides about an owned entity when files are imported. In every case it stops being owned as soon as it stands as
 * the files say.
 * - `api`: what others wrote or deleted stays.
 * - `last`: it stays until the files say something else of it than when they were last looked at.
 * - `files`: the files decide, as if nothing else had been written.
 */
export type Owner = 'files' | 'api' | 'last'

/** How an import begins: for whom it speaks. */
export interface ImportStart extends CallOptions {
  /**
   * What is staged is what files say, with the owner of each type; `api` where a type has none here. Absent: somebody
   * else says it, as with `write`.
   */
  readonly files?: Readonly<Record<string, Owner>> | undefined
}

/** How entities are staged, and what is remembered of each. */
export interface AddOptions extends CallOptions {
  /** A whole number of the caller's for each entity, such as where it was read: see `Repeated.mark`. */
  readonly marks?: readonly number[] | undefined
  /** What is stored under these keys is not deleted by `replace`, whether anything is staged for them or not. */
  readonly keep?: readonly EntityKey[] | undefined
}

/** Entities of one type that an import did not stage. */
export interface UnstagedCount {
  /** Those that `AddOptions.keep` names: they stay. */
  readonly kept: number
  /** The others: `replace` would delete them. */
  readonly missing: number
}

/** How many entities of one type others decide about. */
export interface OwnedCount {
  /** Entities that others wrote or deleted. */
  readonly entities: number
  /** Of them, those of which the files say something else. */
  readonly shadowed: number
}

/** An entity of which the files say something else than what stands. */
export interface Shadowed extends EntityKey {
  /** Others have deleted it. */
  readonly isDeleted: boolean
}

/** What others than files wrote of the types that files fill. */
export interface Owned {
  /** Types with owned entities, ascending. */
  readonly types: ReadonlyMap<string, OwnedCount>
  /** The first shadowed entities, ascending by type and id. */
  readonly shadowed: readonly Shadowed[]
}
