/**
 * The precedence part of the store contract: files that are loaded again and again, against other writers of the same
 * entities. A type is filled by files from the first import of files that contains it. From then on each write by others,
 * deletions included, makes its entity owned; what others wrote before is owned as well.
 */
import type { CallOptions, EntityKey } from './stored-values.ts'

/**
 * Precedence over an owned entity when files are imported. In every case it stops being owned once it is as the files say.
 * - `api`: writes and deletions by others stay.
 * - `last`: they stay until the files change what they say of the entity.
 * - `files`: the files win, as if nothing else had been written.
 */
export type Precedence = 'files' | 'api' | 'last'

/** Options for starting an import of entities. */
export interface ImportStart extends CallOptions {
  /**
   * Precedence by type, for entities that come from files; `api` for a type that is not listed. Absent: they come from
   * another writer, as with `write`.
   */
  readonly files?: Readonly<Record<string, Precedence>> | undefined
}

/** Options for staging entities: marks, and keys to keep. */
export interface AddOptions extends CallOptions {
  /** An integer of the caller's choice for each entity, such as where it was read: see `Repeated.mark`. */
  readonly marks?: readonly number[] | undefined
  /** Keys whose entities `replace` does not delete, staged or not. */
  readonly keep?: readonly EntityKey[] | undefined
}

/** Stored entities of one type that an import did not stage. */
export interface UnstagedCount {
  /** Entities that `AddOptions.keep` names: they stay. */
  readonly kept: number
  /** All others: `replace` would delete them. */
  readonly missing: number
}

/** Numbers of owned entities of one type. */
export interface OwnedCount {
  /** Entities that others wrote or deleted. */
  readonly entities: number
  /** Those of them that differ from the files. */
  readonly shadowed: number
}

/** An owned entity that differs from the files. */
export interface Shadowed extends EntityKey {
  /** Deleted by another writer. */
  readonly isDeleted: boolean
}

/** Owned entities: what others wrote of the types that files fill. */
export interface Owned {
  /** Types with owned entities, ascending. */
  readonly types: ReadonlyMap<string, OwnedCount>
  /** The first shadowed entities, ascending by type and id. */
  readonly shadowed: readonly Shadowed[]
}
