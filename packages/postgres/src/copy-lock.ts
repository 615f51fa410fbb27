/** Which of several processes that share a node's copy takes changes over into it. */
import { DatabaseSync } from 'node:sqlite'

/** A lock beside the copy, which the system frees when its holder ends in whatever way. */
export class CopyLock {
  readonly #db: DatabaseSync
  #isHeld = false

  /** `file`: of the lock; it is made where it is not there. */
  constructor(file: string) {
    this.#db = new DatabaseSync(file, { timeout: 0 })
  }

  /** Takes the lock where nobody holds it. Whether this process has it. */
  take(): boolean {
    if (this.#isHeld || !this.#db.isOpen) return this.#isHeld
    try {
      this.#db.exec('BEGIN EXCLUSIVE')
      this.#isHeld = true
    } catch {
      // Somebody else holds it.
    }
    return this.#isHeld
  }

  /** Frees it. */
  close(): void {
    this.#isHeld = false
    if (this.#db.isOpen) this.#db.close()
  }
}
