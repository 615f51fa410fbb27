/** Precedence in one import: an import of files leaves the entities that others own, any other import leaves none. */
import type { DatabaseSync } from 'node:sqlite'
import type { ImportStart, PreparedEntity } from '@worldwright/core/store'
import { precedenceOf } from '@worldwright/core/store'
import type { PrecedenceRows, StagedTypes } from './precedence-rows.ts'
import { withFaults } from './sqlite-faults.ts'
import { writing } from './transaction.ts'

/** The rules of precedence, as one import applies them. */
export class ImportPrecedence {
  readonly #db: DatabaseSync
  readonly #rows: PrecedenceRows
  readonly #number: number
  readonly #files: ImportStart['files']
  readonly #fileTypes: ReadonlySet<string>

  /** `files`: as given when the import began; absent if it is not one of files. */
  constructor(db: DatabaseSync, rows: PrecedenceRows, number: number, files: ImportStart['files']) {
    this.#db = db
    this.#rows = rows
    this.#number = number
    this.#files = files
    this.#fileTypes = withFaults(() => rows.fileTypes())
  }

  /** Reports whether the stored entity, or its absence, stays although this entity, which differs, is staged. */
  stays(prepared: PreparedEntity, isStored: boolean): boolean {
    if (!this.#files) return false
    const precedence = precedenceOf(prepared.type, this.#files)
    // Known from the beginning: most records are of a new type, and need no lookup of precedence.
    if (!this.#fileTypes.has(prepared.type)) return precedence === 'api' && isStored
    return this.#rows.stays(prepared, precedence)
  }

  /** Keeps the entities of replaced types that others own, within a transaction. Returns the types whose others are deleted. */
  keep(replace: readonly string[]): readonly string[] {
    return this.#files ? this.#rows.keepOwned(this.#number, replace, this.#files) : replace
  }

  /** Does as `keep`, after holding back entities that others have come to own since they were staged. */
  settle(replace: readonly string[]): readonly string[] {
    if (this.#files) this.#rows.holdStaged(this.#number, this.#files)
    return this.keep(replace)
  }

  /** Does as `keep`, or `settle`, in a transaction of its own. */
  async staged(
    how: 'keep' | 'settle',
    replace: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    return this.#files ? writing(this.#db, () => this[how](replace), signal) : replace
  }

  /** Records what the import is about to do, within its transaction. */
  note(staged: Omit<StagedTypes, 'number'>): void {
    const all = { ...staged, number: this.#number }
    if (this.#files) this.#rows.noteFiles(all, this.#files)
    else this.#rows.noteImport(all)
  }
}
