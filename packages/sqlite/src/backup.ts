/** Point-in-time backups of a store that is in use. A backup is verified before it is restored. */
import { createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { mintEpoch, StoreFault } from '@worldwright/core/store'
import { sealBackup, unsealed } from './backup-seal.ts'
import { connectReader, refuseOtherFiles } from './connect.ts'
import { makePrivate, OWNER_ALONE } from './files.ts'
import { isOlder, migrate } from './migrations.ts'
import { query } from './row-query.ts'
import { faultFrom, primaryCode } from './sqlite-faults.ts'
import type { StoreReport } from './store-report.ts'
import { verifyStore } from './verify-store.ts'

/** Pages copied per turn of the event loop. */
const PAGES_A_STEP = 1_024

/** Receives the progress of a copy, as a fraction between 0 and 1. */
export type CopyProgress = (done: number) => void

/**
 * Copies a snapshot of the store in `file` to `target` and verifies the copy. Reads and writes continue meanwhile. The
 * backup is a single, sealed file. It is renamed to `target` once it is complete.
 * @throws StoreFault if `target` exists, or if the copy fails verification
 */
export async function backupStore(
  file: string,
  target: string,
  onProgress: CopyProgress = () => {},
): Promise<StoreReport> {
  refuseExisting(target)
  refuseOtherFiles(resolve(file))
  const db = connectReader(resolve(file))
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  makePrivate(partial)
  try {
    // The read transaction pins a snapshot, so concurrent writes neither enter the copy nor restart it.
    db.exec('BEGIN; SELECT number FROM store')
    await backup(db, partial, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / Math.max(1, totalPages)),
    })
    db.close()
    return await settle(partial, target, { isSealed: true })
  } catch (error) {
    rmSync(partial, { force: true })
    throw faultFrom(error)
  } finally {
    if (db.isOpen) db.close()
  }
}

/**
 * Restores a backup to `target`. The copied file is renamed to `target` only after it has been verified. The restored store
 * has a new epoch, so that its writes are not confused with those made to the original store after the backup.
 * @throws StoreFault if `target` exists or the backup is damaged; no partial copy is left behind
 */
export async function restoreStore(backupFile: string, target: string): Promise<StoreReport> {
  refuseExisting(target)
  if (!existsSync(backupFile)) throw new StoreFault('not_a_store', `There is no file ${backupFile}.`)
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  try {
    refuseOtherFiles(resolve(backupFile))
    await receiveBackup(createReadStream(backupFile), partial, { mayLackSeal: true })
    return await settle(partial, target, { change: beginHistory })
  } catch (error) {
    rmSync(partial, { force: true })
    throw faultOfBackup(error, backupFile)
  }
}

/**
 * Writes the bytes of a backup to the new file `target`, without verifying the entities again. An older format is migrated.
 * The caller removes the file on failure. @throws StoreFault `damaged` as `unsealed`; `not_a_store`, `newer_format`
 */
export async function receiveBackup(
  bytes: AsyncIterable<Uint8Array>,
  target: string,
  { signal, mayLackSeal }: { signal?: AbortSignal; mayLackSeal?: true } = {},
): Promise<void> {
  const output = createWriteStream(target, { flags: 'wx', mode: OWNER_ALONE, flush: true })
  await pipeline(unsealed(bytes, mayLackSeal), output, { ...(signal && { signal }) })
  refuseOtherFiles(resolve(target))
  finish(target)
}

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** Rewords a fault found in a backup, since the advice for a damaged store does not apply to it. */
function faultOfBackup(error: unknown, file: string): unknown {
  const fault = faultFrom(error)
  if (!(fault instanceof StoreFault)) return fault
  const said =
    {
      [SQLITE_CORRUPT]: `The backup ${file} is damaged. Nothing was restored; take another backup.`,
      [SQLITE_NOTADB]: `${file} is not a backup of a store. Nothing was restored.`,
    }[primaryCode(error) ?? 0] ?? `${file}: ${fault.message}`
  return new StoreFault(fault.code, said, { cause: fault.cause })
}

/** Changes, verifies and seals a copy, syncs it to disk and renames it to `target`. */
export async function settle(
  partial: string,
  target: string,
  { change, isSealed }: { change?: (db: DatabaseSync) => void; isSealed?: true } = {},
): Promise<StoreReport> {
  finish(partial, change)
  const report = verifyStore(partial)
  const [problem] = report.problems
  if (problem !== undefined) {
    throw new StoreFault('damaged', `The copy is damaged: ${problem} It was not put in place.`)
  }
  if (isSealed) await sealBackup(partial)
  await sync(partial)
  // Checked again: a file created meanwhile must not be overwritten.
  refuseExisting(target)
  await rename(partial, target)
  await sync(dirname(resolve(target)))
  return report
}

/** Makes a copied database a single file of the current format. */
function finish(file: string, change?: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file)
  try {
    // The copy inherits WAL mode from its source. Outside WAL mode, a backup is a single file that can be read anywhere.
    db.exec('PRAGMA journal_mode = DELETE')
    // A backup may have an older format. Only the copy is migrated.
    if (isOlder(db)) migrate(db, undefined)
    change?.(db)
  } finally {
    db.close()
  }
}

/** Starts a new epoch, and updates named values that refer to versions of the previous epoch. */
function beginHistory(db: DatabaseSync): void {
  const [before] = query<[string]>(db, 'SELECT epoch FROM store').get() ?? []
  if (before === undefined) return
  const next = mintEpoch()
  db.prepare(
    'UPDATE metadata SET version = replace(version, ?1, ?2), value = replace(value, ?1, ?2) WHERE instr(value || version, ?1)',
  ).run(`${before}-`, `${next}-`)
  // Writes that a replica waited for belong to the former epoch.
  db.prepare(`UPDATE store SET epoch = ?, pending = '[]'`).run(next)
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Refuses a target that exists or has a write-ahead log. @throws StoreFault `not_a_store` */
export function refuseExisting(target: string): void {
  for (const path of [target, `${target}-wal`]) {
    if (existsSync(path))
      throw new StoreFault('not_a_store', `${path} exists. Nothing is ever written over it.`)
  }
}
