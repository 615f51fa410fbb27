import { DatabaseSync } from 'node:sqlite'

/** Lock file beside the local replica. The operating system releases the lock when its holder exits for any reason. */
export class ReplicaLock {
  readonly #db: DatabaseSync
  #isHeld = false

  /** Opens the lock file, which is created if missing. */
  constructor(file: string) {
    this.#db = new DatabaseSync(file, { timeout: 0 })
  }

  /** Takes the lock if it is free. Returns true if this process holds it. */
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
