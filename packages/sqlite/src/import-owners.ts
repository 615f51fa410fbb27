/** What one import leaves to those who own: of an import of files what others wrote, else nothing. */
import type { DatabaseSync } from 'node:sqlite'
import type { ImportStart, PreparedEntity } from '@worldwright/core/store'
import { ownerOf } from '@worldwright/core/store'
import type { OwnerRows, StagedTypes } from './owner-rows.ts'
import { withFaults } from './sqlite-faults.ts'
import { writing } from './transaction.ts'

/** The owners as one import meets them. */
export class ImportOwners {
  readonly #db: DatabaseSync
  readonly #rows: OwnerRows
  readonly #number: number
  readonly #files: ImportStart['files']
  readonly #fileTypes: ReadonlySet<string>

  /** `files`: as the import began with; absent where others than files speak. */
  constructor(db: DatabaseSync, rows: OwnerRows, number: number, files: ImportStart['files']) {
    this.#db = db
    this.#rows = rows
    this.#number = number
    this.#files = files
    this.#fileTypes = withFaults(() => rows.fileTypes())
  }

  /** Whether what stands, perhaps nothing, stays though this, which is something else, is staged. */
  stays(prepared: PreparedEntity, isStored: boolean): boolean {
    if (!this.#files) return false
    const owner = ownerOf(prepared.type, this.#files)
    // Known from the beginning: most records are of a new type, and need no look at what is owned.
    if (!this.#fileTypes.has(prepared.type)) return owner === 'api' && isStored
    return this.#rows.stays(prepared, owner)
  }

  /** Keeps what others own of replaced types, within a transaction. Answers the types of which the rest goes. */
  keep(replace: readonly string[]): readonly string[] {
    return this.#files ? this.#rows.keepOwned(this.#number, replace, this.#files) : replace
  }

  /** As `keep`, after holding back what others have come to own since it was staged. */
  settle(replace: readonly string[]): readonly string[] {
    if (this.#files) this.#rows.holdStaged(this.#number, this.#files)
    return this.keep(replace)
  }

  /** As `keep`, or `settle`, in a transaction of its own. */
  async staged(
    how: 'keep' | 'settle',
    replace: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    return this.#files ? writing(this.#db, () => this[how](replace), signal) : replace
  }

  /** Notes what the import does, within the transaction that does it, and before. */
  note(staged: Omit<StagedTypes, 'number'>): void {
    const all = { ...staged, number: this.#number }
    if (this.#files) this.#rows.noteFiles(all, this.#files)
    else this.#rows.noteImport(all)
  }
}
