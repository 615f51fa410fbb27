/** Versions of SQLite that may be trusted with data. */
import { DatabaseSync } from 'node:sqlite'
import { StorageFault } from '@worldwright/core/store'

/** The first release with WAL. From it up to the safe one, several connections could corrupt a WAL database. */
const FIRST_UNSAFE = [3, 7, 0] as const
const FIRST_SAFE_AGAIN = [3, 51, 3] as const

/** Reports whether a version such as `3.53.4` is outside the releases that can corrupt a store. */
export function isSafeVersion(version: string): boolean {
  const parts = version.split('.').map(Number)
  return precedes(parts, FIRST_UNSAFE) || !precedes(parts, FIRST_SAFE_AGAIN)
}

/** Refuses the library of this runtime if it is not safe. @throws StorageFault `unsafe_engine` */
export function refuseUnsafeEngine(version: string = libraryVersion()): void {
  if (isSafeVersion(version)) return
  throw new StorageFault(
    'unsafe_engine',
    `SQLite ${version} can corrupt a store. Use a Node.js with SQLite ${FIRST_SAFE_AGAIN.join('.')} or newer.`,
  )
}

/** Returns the version of the library in use: not the one Node.js was built with if the system's is linked. */
function libraryVersion(): string {
  const db = new DatabaseSync(':memory:')
  try {
    return String(db.prepare('SELECT sqlite_version() AS version').get()?.['version'])
  } finally {
    db.close()
  }
}

function precedes(left: readonly number[], right: readonly number[]): boolean {
  const at = right.findIndex((part, index) => (left[index] ?? 0) !== part)
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0)
}
