/** Temporary files attached to a connection, for rows that wait for a commit. */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { CACHE_KIB, PAGE_BYTES } from './connect.ts'
import { makePrivate } from './files.ts'

/**
 * Attaches an empty temporary file as the schema `name`, with `tables`. Must not be called in a transaction. The file keeps
 * rows out of the store's file, where they would pass through the log and leave unused pages behind. It is in the store's
 * folder, since both need about the same disk space, and is unlinked once it is open, so that a crash leaves no rows behind.
 * No other connection opens it, so writing to it does not lock the store.
 */
export function attachTemporary(db: DatabaseSync, store: string, name: string, tables: string): void {
  const path = `${store}-${name}-${randomUUID()}`
  makePrivate(path)
  try {
    db.exec(`ATTACH '${path.replaceAll("'", "''")}' AS ${name}`)
  } finally {
    rmSync(path, { force: true })
  }
  try {
    db.exec(`PRAGMA ${name}.page_size = ${PAGE_BYTES}; PRAGMA ${name}.cache_size = -${CACHE_KIB};
      PRAGMA ${name}.journal_mode = MEMORY; PRAGMA ${name}.synchronous = OFF; ${tables}`)
  } catch (error) {
    db.exec(`DETACH ${name}`)
    throw error
  }
}
