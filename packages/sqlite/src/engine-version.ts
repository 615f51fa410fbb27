/** Checks for SQLite versions that may corrupt a store. */
import { DatabaseSync } from 'node:sqlite'
import { StoreFault } from '@worldwright/core/store'

/** First release with WAL. Until `FIRST_SAFE_AGAIN`, several connections could corrupt a WAL database. */
const FIRST_UNSAFE = [3, 7, 0] as const
const FIRST_SAFE_AGAIN = [3, 51, 3] as const

/** Reports whether a version such as `3.53.4` is safe to use. */
export function isSafeVersion(version: string): boolean {
  const parts = version.split('.').map(Number)
  return precedes(parts, FIRST_UNSAFE) || !precedes(parts, FIRST_SAFE_AGAIN)
}

/** Refuses the runtime's SQLite library if its version is unsafe. @throws StoreFault `unsafe_engine` */
export function refuseUnsafeEngine(version: string = libraryVersion()): void {
  if (isSafeVersion(version)) return
  throw new StoreFault(
    'unsafe_engine',
    `SQLite ${version} can corrupt a store. Use a Node.js with SQLite ${FIRST_SAFE_AGAIN.join('.')} or newer.`,
  )
}

/** Returns the version of the loaded SQLite library, which may differ from the one that Node.js was built with. */
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
