/** What an import is told, and what it tells. */
import type { MaybePromise, Notes, TypeState } from '../../storage/contract.ts'
import type { TypeDefinition } from '../definition/definition.ts'
import type { OnInvalid } from '../definition/settings.ts'
import type { Mapping } from '../entities/mapping.ts'
import type { RecordFault } from '../read/json-text.ts'
import type { ReadOptions } from '../read/read-records.ts'
import type { RecordSource } from '../read/record-source.ts'

/** A source to load, how it is read, and the type of its records that name none. */
export interface ImportSource extends Pick<ReadOptions, 'format' | 'delimiter' | 'quote'> {
  readonly source: RecordSource
  readonly type?: string | undefined
  /** Sources with the same object are files of one: a column that it names need not be in each. */
  readonly mapping?: Mapping | undefined
}

/** A record that was not loaded: where it is, and all that is wrong with it. */
export interface Rejection {
  readonly source: string
  readonly line: number
  readonly faults: readonly RecordFault[]
}

/** A record that was loaded, with something to know about it. */
export interface ImportWarning {
  readonly source: string
  readonly line: number
  /** `portability`: of its id. `format`, `schema`: of a value. `mapping`: a column that no record has, told once for each. */
  readonly kind: 'portability' | 'format' | 'schema' | 'mapping'
  readonly message: string
}

/** How far an import has come; `placing` is told once: all is read, and the entities are about to be put in place. */
export interface ImportProgress {
  /** Bytes read of all sources, as they lie on disk. */
  readonly bytes: number
  /** All bytes there are; absent while a source's size is unknown. */
  readonly totalBytes?: number
  readonly records: number
  /** Of them, those that were not rejected. */
  readonly entities: number
  readonly phase: 'reading' | 'placing'
}

/** What an import does besides loading. */
export interface ImportOptions {
  /**
   * Of every type that these sources fill, delete the entities that they do not hold. A source fills the types of its
   * records, and the type that is given for it. Of a type that a rejected record may belong to, or that is given for a
   * source without any record, nothing is deleted: the data say more than what can be read of them.
   */
  readonly replace?: boolean | undefined
  /** Types of which nothing is deleted all the same, given the states of all types. Asked again where others write meanwhile. */
  readonly keep?: ((states: ReadonlyMap<string, TypeState>) => MaybePromise<ReadonlySet<string>>) | undefined
  /** Further types to empty as far as nothing of them is loaded; with `replace`. */
  readonly formerly?: readonly string[] | undefined
  /** What to note in the same step. */
  readonly notes?: ((loaded: Loaded) => Notes) | undefined
  /** With more rejected records than this, nothing is loaded. */
  readonly maxRejected?: number | undefined
  /** Nothing is loaded where a type that is replaced would lose much: see `ImportShrunk`. */
  readonly refuseLoss?: boolean | undefined
  /** The types as their author describes them; attributes are held against their schemas. */
  readonly types?: readonly TypeDefinition[] | undefined
  /** What becomes of a record that breaks its type's schema; by default it is left out. */
  readonly onInvalid?: OnInvalid | undefined
  /** Finds out what would happen, and changes nothing. */
  readonly dryRun?: boolean | undefined
  /** Hears every rejected record, in order. */
  readonly onReject?: ((rejection: Rejection) => void) | undefined
  readonly onWarning?: ((warning: ImportWarning) => void) | undefined
  /** Hears of progress after every batch, and before the entities are put in place; that a dry run does not do. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Aborted: nothing is loaded and the import fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** What is about to be put in place. */
export interface Loaded extends Replaced {
  /** How many good records there are of each type. */
  readonly loaded: ReadonlyMap<string, number>
  readonly rejected: number
}

/** What a load does to the types that its sources fill, or once filled; each ascending. */
export interface Replaced {
  /** What is not among the records is deleted; nothing is without `replace`. */
  readonly replaced: readonly string[]
  /** Nothing is deleted: a rejected record may belong to them, or a source has no records. */
  readonly spared: readonly string[]
  /** Nothing is deleted, since `keep` says so. */
  readonly kept: readonly string[]
}
