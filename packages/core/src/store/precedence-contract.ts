/**
 * The precedence part of the store contract, for files that are loaded repeatedly while others write the same entities. Once
 * a file import contains a type, the type is file-backed. From then on, an entity that another writer writes or deletes is
 * owned by that writer. So are entities that others wrote before that import, unless they match the files.
 */
import type { CallOptions, EntityKey } from './stored-values.ts'

/**
 * Rule for owned entities when files are imported. An entity always stops being owned once it matches the files.
 * - `api`: writes and deletions by others are kept.
 * - `last`: writes and deletions by others are kept until the entity changes in the files.
 * - `files`: the files win, as if nothing else had been written.
 */
export type Precedence = 'files' | 'api' | 'last'

/** Options for starting an import of entities. */
export interface ImportStart extends CallOptions {
  /**
   * Precedence by type, if the entities come from files; `api` for types that are not listed. If absent, the entities come
   * from another writer, as with `write`.
   */
  readonly files?: Readonly<Record<string, Precedence>> | undefined
}

/** Options for staging entities: marks, and keys to keep. */
export interface AddOptions extends CallOptions {
  /** Caller-defined integer for each entity, such as its line number: see `Repeated.mark`. */
  readonly marks?: readonly number[] | undefined
  /** Keys of entities that `replace` must not delete, whether staged or not. */
  readonly keep?: readonly EntityKey[] | undefined
}

/** Stored entities of one type that an import did not stage. */
export interface UnstagedCount {
  /** Number of entities named in `AddOptions.keep`, which are kept. */
  readonly kept: number
  /** Number of the remaining entities, which `replace` would delete. */
  readonly missing: number
}

/** Owned-entity counts for one type. */
export interface OwnedCount {
  /** Number of entities that other writers wrote or deleted. */
  readonly entities: number
  /** Number of these entities that hide a different revision in the files. */
  readonly shadowed: number
}

/** An owned entity that hides a different revision in the files. */
export interface Shadowed extends EntityKey {
  /** True if another writer deleted the entity. */
  readonly isDeleted: boolean
}

/** Owned entities: entities that other writers wrote or deleted although their types are file-backed. */
export interface Owned {
  /** Types with owned entities, ascending. */
  readonly types: ReadonlyMap<string, OwnedCount>
  /** The first shadowed entities, ascending by type and id. */
  readonly shadowed: readonly Shadowed[]
}
