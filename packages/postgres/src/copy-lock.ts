/** Chooses, among the processes that share a node's local replica, the one that updates it. */
import { DatabaseSync } from 'node:sqlite'

/** A lock beside the local replica. The system releases it when its holder ends for any reason. */
export class CopyLock {
  readonly #db: DatabaseSync
  #isHeld = false

  /** `file`: the lock file; created if missing. */
  constructor(file: string) {
    this.#db = new DatabaseSync(file, { timeout: 0 })
  }

  /** Takes the lock if it is free. Returns whether this process holds it. */
  take(): boolean {
    if (this.#isHeld || !this.#db.isOpen) return this.#isHeld
    try {
      this.#db.exec('BEGIN EXCLUSIVE')
      this.#isHeld = true
    } catch {
      // Another process holds it.
    }
    return this.#isHeld
  }

  /** Releases the lock. */
  close(): void {
    this.#isHeld = false
    if (this.#db.isOpen) this.#db.close()
  }
}
