/** Detects that the files of an open store have been moved or replaced: further writes would be lost. */
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { StorageFault } from '@worldwright/core/store'
import { newerRefusal } from './migrations.ts'
import { guardWrites } from './transaction.ts'

/** The file with the entities, and its log: without the log, commits that were not checkpointed are lost. */
const SUFFIXES = ['', '-wal']

/** Files of one connection. An open file keeps its inode number until it is closed, so that no other gets it. */
export class StoreFiles {
  readonly #path: string
  readonly #opened: (string | undefined)[]

  /** Remembers the files at a path, right after they were opened. */
  constructor(path: string) {
    this.#path = path
    this.#opened = SUFFIXES.map((suffix) => identityOf(path + suffix))
  }

  /** Refuses files that are gone or replaced: two checks of some microseconds each. @throws StorageFault `file_gone` */
  refuseGone(): void {
    for (const [at, suffix] of SUFFIXES.entries()) {
      const path = this.#path + suffix
      const found = identityOf(path)
      this.#opened[at] ??= found
      // A log that did not exist yet may still come.
      if (this.#opened[at] === undefined) continue
      if (found === undefined)
        throw new StorageFault(
          'file_gone',
          `${path} is gone. Put it back, or restore a backup and start again.`,
        )
      if (found !== this.#opened[at])
        throw new StorageFault(
          'file_gone',
          `${path} is another file than the one that was opened. Put that one back, or start again with this one.`,
        )
    }
  }
}

/**
 * Lets a connection write only to the files that are at `path` now, and only while no newer version has changed their format.
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
