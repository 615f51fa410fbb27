/** Detects that files of an open store were moved or replaced, because further writes to them would be lost. */
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { StoreFault } from '@worldwright/core/store'
import { newerRefusal } from './migrations.ts'
import { guardWrites } from './transaction.ts'

/** Suffixes of the database file and its log. Without the log, commits since the last checkpoint are lost. */
const SUFFIXES = ['', '-wal']

/** Files of one connection. No other file gets the inode number of a file that is open. */
export class StoreFiles {
  readonly #path: string
  readonly #opened: (string | undefined)[]

  /** Records the identity of the files at `path`. Must be called right after they were opened. */
  constructor(path: string) {
    this.#path = path
    this.#opened = SUFFIXES.map((suffix) => identityOf(path + suffix))
  }

  /** Refuses files that are gone or replaced. Takes two checks of a few microseconds each. @throws StoreFault `file_gone` */
  refuseGone(): void {
    for (const [at, suffix] of SUFFIXES.entries()) {
      const path = this.#path + suffix
      const found = identityOf(path)
      this.#opened[at] ??= found
      // The log may not exist yet.
      if (this.#opened[at] === undefined) continue
      if (found === undefined)
        throw new StoreFault(
          'file_gone',
          `${path} is gone. Put it back, or restore a backup and start again.`,
        )
      if (found !== this.#opened[at])
        throw new StoreFault(
          'file_gone',
          `${path} is another file than the one that was opened. Put that one back, or start again with this one.`,
        )
    }
  }
}

/**
 * Lets a connection write only while the files at `path` are the same as now and no newer version has migrated them.
 * @returns the files, for further connections to them
 */
export function guardFiles(db: DatabaseSync, path: string): StoreFiles {
  const files = new StoreFiles(path)
  const refuseNewer = newerRefusal(db)
  guardWrites(db, () => {
    files.refuseGone()
    refuseNewer()
  })
  return files
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
