/** Options for an import, and the decisions reported by it. */

import type { NamedValues, Precedence } from '@worldwright/core/store'
import type { ReadRecord } from '@worldwright/entities'
import type { TypeDefinition } from '@worldwright/entities/types'
import type { OnInvalid } from '../definition/settings.ts'
import type { FileOptions } from '../formats/contract/format.ts'
import type { RecordSource } from '../input/record-source.ts'
import type { Mapping } from '../mapping/mapping.ts'
import type { Kept } from './doubts.ts'
import type { JoinedFiles } from './joins.ts'
import type { Unlisted } from './rejected-records.ts'

/** A source to load, with reading options and the default type of its records. */
export interface ImportSource extends FileOptions {
  readonly source: RecordSource
  readonly type?: string | undefined
  /** Paths of the existing attachments. If absent, missing attachments are not reported. */
  readonly attached?: ReadonlySet<string> | undefined
  /** Mapping of the source. The files of one source share a mapping object, and a column may be in any of these files. */
  readonly mapping?: Mapping | undefined
  /** Files that the sources of the definition join. */
  readonly joined?: JoinedFiles | undefined
  /** Set to read only a sample of a large file. */
  readonly isSampled?: boolean | undefined
  /** Function that restores the original record from an entry in a list of rejected records. */
  readonly unlist?: ((read: ReadRecord) => Unlisted) | undefined
}

/** Options for an import, all of them optional. */
export interface ImportOptions {
  /**
   * If set, deletes entities that are missing from the sources, for every type that the sources fill: the types of their
   * records and their default types. Entities that a rejected record may represent are kept: the one with its id or, if that
   * is unreadable, all entities of its type. All entities of an empty source's default type are also kept.
   */
  readonly replace?: boolean | undefined
  /** Precedence of each type, for files that are loaded repeatedly. See `Precedence`. */
  readonly files?: Readonly<Record<string, Precedence>> | undefined
  /** Called before each commit attempt. A commit is retried after a concurrent write. */
  readonly beforeCommit?: (() => Promise<void>) | undefined
  /**
   * Called for each type that would lose entities. Returns false to keep them, as when the definition has lost a source. May
   * throw. Called again if the commit is retried.
   */
  readonly mayLose?: ((loss: Loss) => boolean) | undefined
  /** Types of sources that are left unread. A record of these types ends the import with `TypeUnread`. */
  readonly unread?: ReadonlyMap<string, unknown> | undefined
  /** Further types to replace. Entities of these types are deleted unless they are loaded. Used with `replace`. */
  readonly previousTypes?: readonly string[] | undefined
  /**
   * Reports whether the types filled since the last commit are complete once the source at an index is read, and worth a commit
   * of so many entities. Absent if everything is committed in one step. A later record of these types ends the import with
   * `TypeUnread`, although they are in the store.
   */
  readonly mayCommit?: ((types: ReadonlySet<string>, at: number, entities: number) => boolean) | undefined
  /** Returns metadata to commit atomically with the entities. Called again if the commit is retried. */
  readonly metadata?: ((loaded: Loaded) => NamedValues) | undefined
  /** Maximum number of rejected records. If exceeded, nothing is loaded. */
  readonly maxRejected?: number | undefined
  /** Types as described by their author. Attributes are validated against the schemas of these types. */
  readonly types?: readonly TypeDefinition[] | undefined
  /** Texts that mean an empty cell in sources without a list of their own. */
  readonly missing?: readonly string[] | undefined
  /** Treatment of a record that violates its type's schema. By default it is rejected. */
  readonly onInvalid?: OnInvalid | undefined
  /** If set, reports the outcome without changing the store. */
  readonly dryRun?: boolean | undefined
  /** If aborted, nothing is loaded and the import fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Outcome of reading one file or table. */
export interface FileOutcome {
  readonly mapping: Mapping
  /** Types of the good records, and the default type. */
  readonly types: ReadonlySet<string>
  /** True if there are records, and none was rejected. */
  readonly isClean: boolean
}

/** Summary of a load that is about to be committed. */
export interface Loaded extends Replaced {
  readonly rejected: number
  readonly outcomes: readonly FileOutcome[]
  /** Versions of the types covered by `replace` right before the commit, empty for a type that never had an entity. */
  readonly versions: ReadonlyMap<string, string>
  /** Versions, at the same time, of the types that this import committed before. */
  readonly earlier: ReadonlyMap<string, string>
  /** False if there are more sources to read. */
  readonly isLast: boolean
}

/** Effect of a load on the types that its sources fill or once filled. Each list is in ascending order. */
export interface Replaced {
  /** Types whose entities are deleted unless they are among the records, empty without `replace`. */
  readonly replaced: readonly string[]
  /** Entities kept although they are not among the records. */
  readonly kept: readonly Kept[]
}

/** Counts of the entities that a type would lose. */
export interface Loss {
  readonly type: string
  /** Number of good records of the type. */
  readonly loaded: number
  /** Number of entities that would be deleted. */
  readonly missing: number
  /** Number of entities in the store. */
  readonly stored: number
}
