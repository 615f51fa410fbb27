/** Options of an import, and its decisions. */

import type { NamedValues, Precedence } from '@worldwright/core/store'
import type { ReadRecord } from '@worldwright/entities'
import type { TypeDefinition } from '@worldwright/entities/types'
import type { OnInvalid } from '../definition/settings.ts'
import type { FileOptions } from '../formats/contract/format.ts'
import type { RecordSource } from '../input/record-source.ts'
import type { Mapping } from '../mapping/row-mapper.ts'
import type { Kept } from './doubts.ts'
import type { Unlisted } from './rejected-records.ts'

/** A source to load, options for reading it, and the type of its records that name none. */
export interface ImportSource extends FileOptions {
  readonly source: RecordSource
  readonly type?: string | undefined
  /** Paths of the existing attachments; absent if unknown: then no attachment is reported as missing. */
  readonly attached?: ReadonlySet<string> | undefined
  /** Sources that share this object are files of one source: a column that it names need not be in each. */
  readonly mapping?: Mapping | undefined
  /** Restores the original record from an entry, if the source is a list of rejected records. */
  readonly unlist?: ((read: ReadRecord) => Unlisted) | undefined
}

/** Options of an import; every option may be left out. */
export interface ImportOptions {
  /**
   * Delete the entities that the sources do not hold, of every type that they fill. A source fills the types of its
   * records, and the type that is given for it. Entities that a rejected record may stand for stay: that of its id or, if
   * the id cannot be read, all of the type. So do all entities of the type that is given for a source without any record.
   */
  readonly replace?: boolean | undefined
  /** The sources are files that are loaded repeatedly, with the precedence of each type: see `Precedence`. */
  readonly files?: Readonly<Record<string, Precedence>> | undefined
  /** Called before each attempt to commit; an attempt is repeated if others write meanwhile. */
  readonly beforeCommit?: (() => Promise<void>) | undefined
  /**
   * Called for each type that would lose entities; if it returns false, they stay, since the definition has lost a source.
   * It may throw. Called again if others write meanwhile.
   */
  readonly mayLose?: ((loss: Loss) => boolean) | undefined
  /** With `replace`: further types of which entities that are not loaded are deleted. */
  readonly previousTypes?: readonly string[] | undefined
  /** Returns metadata to commit in the same step. Called again if others write meanwhile. */
  readonly metadata?: ((loaded: Loaded) => NamedValues) | undefined
  /** Maximum number of rejected records; with more, nothing is loaded. */
  readonly maxRejected?: number | undefined
  /** The types as their author describes them; attributes are checked against their schemas. */
  readonly types?: readonly TypeDefinition[] | undefined
  /** Treatment of a record that breaks its type's schema; by default it is left out. */
  readonly onInvalid?: OnInvalid | undefined
  /** Report what would happen, without a change. */
  readonly dryRun?: boolean | undefined
  /** If aborted, nothing is loaded and the import fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Summary of a load that is about to be committed. */
export interface Loaded extends Replaced {
  readonly rejected: number
  /** Versions, right before the commit, of the types that `replace` covers; empty for one that never had an entity. */
  readonly versions: ReadonlyMap<string, string>
}

/** Effect of a load on the types that its sources fill, or once filled; each list ascending. */
export interface Replaced {
  /** Types of which entities that are not among the records are deleted; empty without `replace`. */
  readonly replaced: readonly string[]
  /** Entities that stay although they are not among the records. */
  readonly kept: readonly Kept[]
}

/** The entities that a type would lose, in numbers. */
export interface Loss {
  readonly type: string
  /** Good records of the type. */
  readonly loaded: number
  /** Entities that would be deleted. */
  readonly missing: number
  /** Entities in the store. */
  readonly stored: number
}
