/** What an import is asked to do, and what it decides. */

import type { NamedValues, Owner } from '@worldwright/core/store'
import type { ReadRecord } from '@worldwright/entities'
import type { TypeDefinition } from '@worldwright/entities/types'
import type { OnInvalid } from '../definition/settings.ts'
import type { FileOptions } from '../formats/contract/format.ts'
import type { RecordSource } from '../input/record-source.ts'
import type { Mapping } from '../mapping/row-mapper.ts'
import type { Kept } from './doubts.ts'
import type { Unlisted } from './rejected-records.ts'

/** A source to load, how it is read, and the type of its records that name none. */
export interface ImportSource extends FileOptions {
  readonly source: RecordSource
  readonly type?: string | undefined
  /** The paths of the attachments that there are; absent: it is not known, and nothing is said of others. */
  readonly attached?: ReadonlySet<string> | undefined
  /** Sources with the same object are files of one: a column that it names need not be in each. */
  readonly mapping?: Mapping | undefined
  /** What the records really are: they stand in a list of rejected ones. */
  readonly unlist?: ((read: ReadRecord) => Unlisted) | undefined
}

/** How records are imported; every option may be left out. */
export interface ImportOptions {
  /**
   * Of every type that these sources fill, delete the entities that they do not hold. A source fills the types of its
   * records, and the type that is given for it. What a rejected record may be stays: the entity of its id, or, where the
   * id cannot be read, all of the type. So does everything of a type that is given for a source without any record.
   */
  readonly replace?: boolean | undefined
  /** The sources are files that are loaded again and again, with the owner of each type: see `Owner`. */
  readonly files?: Readonly<Record<string, Owner>> | undefined
  /** Called before each attempt to put what was read in place: others may write meanwhile. */
  readonly beforeCommit?: (() => Promise<void>) | undefined
  /**
   * Asked of each type that would lose entities; where it answers false, they stay, since the definition has lost a source.
   * It may throw. Called again where others write meanwhile.
   */
  readonly mayLose?: ((loss: Loss) => boolean) | undefined
  /** Further types to empty as far as nothing of them is loaded; with `replace`. */
  readonly previousTypes?: readonly string[] | undefined
  /** Metadata to keep in the same step. Called again where others write meanwhile. */
  readonly metadata?: ((loaded: Loaded) => NamedValues) | undefined
  /** With more rejected records than this, nothing is loaded. */
  readonly maxRejected?: number | undefined
  /** The types as their author describes them; attributes are checked against their schemas. */
  readonly types?: readonly TypeDefinition[] | undefined
  /** What becomes of a record that breaks its type's schema; by default it is left out. */
  readonly onInvalid?: OnInvalid | undefined
  /** Only finds out what would happen. */
  readonly dryRun?: boolean | undefined
  /** Aborted: nothing is loaded and the import fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** What is about to be put in place. */
export interface Loaded extends Replaced {
  readonly rejected: number
  /** The versions, right before, of the types that `replace` is about; empty for one that never had an entity. */
  readonly versions: ReadonlyMap<string, string>
}

/** What a load does to the types that its sources fill, or once filled; each ascending. */
export interface Replaced {
  /** What is not among the records is deleted; nothing is without `replace`. */
  readonly replaced: readonly string[]
  /** What stays although it is not among the records. */
  readonly kept: readonly Kept[]
}

/** What a type would lose. */
export interface Loss {
  readonly type: string
  /** Good records of it. */
  readonly loaded: number
  /** Entities that would be deleted. */
  readonly missing: number
  /** Entities that are there. */
  readonly stored: number
}
