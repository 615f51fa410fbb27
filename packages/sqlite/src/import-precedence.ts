/** Precedence rules of one import. Only in an import of files can stored entities take precedence over imported ones. */
import type { DatabaseSync } from 'node:sqlite'
import { type ImportStart, type PreparedEntity, precedenceOf } from '@worldwright/core/store'
import type { PrecedenceRows, StagedTypes } from './precedence-rows.ts'
import { withFaults } from './sqlite-faults.ts'
import { reading } from './transaction.ts'

/** Precedence rules as applied by one import. */
export class ImportPrecedence {
  readonly #db: DatabaseSync
  readonly #rows: PrecedenceRows
  readonly #number: number
  readonly #files: ImportStart['files']
  readonly #fileTypes: ReadonlySet<string>

  /** `files` is the option with which the import began. Absent if the import is not from files. */
  constructor(db: DatabaseSync, rows: PrecedenceRows, number: number, files: ImportStart['files']) {
    this.#db = db
    this.#rows = rows
    this.#number = number
    this.#files = files
    this.#fileTypes = withFaults(() => rows.fileTypes())
  }

  /** Reports whether the stored entity or its deletion takes precedence over `prepared`, which has another revision. */
  stays(prepared: PreparedEntity, isStored: boolean): boolean {
    if (!this.#files) return false
    const precedence = precedenceOf(prepared.type, this.#files)
    // The file types were read when the import began, so an entity of a type that is new to files needs no lookup.
    if (!this.#fileTypes.has(prepared.type)) return precedence === 'api' && isStored
    return this.#rows.stays(prepared, precedence)
  }

  /** Protects entities that take precedence. Returns the types in `replace` whose other entities are deleted. */
  keep(replace: readonly string[]): readonly string[] {
    return this.#files ? this.#rows.keepOwned(this.#number, replace, this.#files) : replace
  }

  /** Like `keep`, but first holds back staged entities that were overridden by writes during the import. */
  settle(replace: readonly string[]): readonly string[] {
    if (this.#files) this.#rows.holdStaged(this.#number, this.#files)
    return this.keep(replace)
  }

  /** Runs `keep` or `settle` in its own transaction. */
  staged(how: 'keep' | 'settle', replace: readonly string[]): readonly string[] {
    return reading(this.#db, () => this[how](replace))
  }

  /** Updates the precedence records. Must be called in the commit's transaction. */
  note(staged: Omit<StagedTypes, 'number'>): void {
    const all = { ...staged, number: this.#number }
    if (this.#files) this.#rows.noteFiles(all, this.#files)
    else this.#rows.noteImport(all)
  }
}
