/** What an import is asked to do, and what it decides. */
import type { MaybePromise, MetadataRecord, TypeState } from '../../storage/contract.ts'
import type { TypeDefinition } from '../definition/definition.ts'
import type { OnInvalid } from '../definition/settings.ts'
import type { Mapping } from '../entities/record-mapper.ts'
import type { ReadOptions } from '../read/read-records.ts'
import type { RecordSource } from '../read/record-source.ts'

/** A source to load, how it is read, and the type of its records that name none. */
export interface ImportSource
  extends Pick<ReadOptions, 'format' | 'delimiter' | 'quote' | 'encoding' | 'sheet' | 'records'> {
  readonly source: RecordSource
  readonly type?: string | undefined
  /** Sources with the same object are files of one: a column that it names need not be in each. */
  readonly mapping?: Mapping | undefined
}

/** How records are imported; every option may be left out. */
export interface ImportOptions {
  /**
   * Of every type that these sources fill, delete the entities that they do not hold. A source fills the types of its
   * records, and the type that is given for it. Of a type that a rejected record may belong to, or that is given for a
   * source without any record, nothing is deleted: the data say more than what can be read of them.
   */
  readonly replace?: boolean | undefined
  /** Types of which nothing is deleted, given the states of all types. Called again where others write meanwhile. */
  readonly protect?:
    | ((states: ReadonlyMap<string, TypeState>) => MaybePromise<ReadonlySet<string>>)
    | undefined
  /** Further types to empty as far as nothing of them is loaded; with `replace`. */
  readonly previousTypes?: readonly string[] | undefined
  /** Metadata to keep in the same step. Called again where others write meanwhile. */
  readonly metadata?: ((loaded: Loaded) => MetadataRecord) | undefined
  /** With more rejected records than this, nothing is loaded. */
  readonly maxRejected?: number | undefined
  /** Nothing is loaded where a replaced type would lose much: see `ImportShrunk`. */
  readonly refuseLoss?: boolean | undefined
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
  /** How many good records there are of each type. */
  readonly loaded: ReadonlyMap<string, number>
  readonly rejected: number
  /** The versions, right before, of the types that `replace` is about; empty for one that never had an entity. */
  readonly versions: ReadonlyMap<string, string>
}

/** What a load does to the types that its sources fill, or once filled; each ascending. */
export interface Replaced {
  /** What is not among the records is deleted; nothing is without `replace`. */
  readonly replaced: readonly string[]
  /** Nothing is deleted: a rejected record may belong to them, or a source has no records. */
  readonly skipped: readonly string[]
  /** Nothing is deleted, since `protect` says so. */
  readonly kept: readonly string[]
}
