/** Copies of a store, made while it is served and written, each of one exact moment; restored only after verifying. */
import { existsSync, rmSync } from 'node:fs'
import { copyFile, open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { mintEpoch, StorageFault } from '@worldwright/core/store'
import { connectReader, refuseOtherFiles } from './connect.ts'
import { keepPrivate, makePrivate } from './files.ts'
import { isOlder, migrate } from './migrations.ts'
import { query } from './row-query.ts'
import { faultFrom, primaryCode } from './sqlite-faults.ts'
import type { StoreReport } from './store-report.ts'
import { verifyStore } from './verify-store.ts'

/** Pages copied in one turn of the event loop. */
const PAGES_A_STEP = 1_024

/** Receives the progress of a copy, from 0 to 1. */
export type CopyProgress = (done: number) => void

/**
 * Copies the store in `file` to `target`, as of one moment, and verifies the copy. Reads and writes continue meanwhile. The
 * copy is one file, which gets its name once it is complete.
 * @throws StorageFault if `target` exists, or if the copy does not verify
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
    // With a read transaction open, all steps copy its snapshot: concurrent writes neither enter the copy nor restart it.
    db.exec('BEGIN; SELECT number FROM store')
    await backup(db, partial, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / Math.max(1, totalPages)),
    })
    db.close()
    return await settle(partial, target)
  } catch (error) {
    rmSync(partial, { force: true })
    throw faultFrom(error)
  } finally {
    if (db.isOpen) db.close()
  }
}

/**
 * Makes `target` the store that a backup holds. The backup is copied and the copy verified; only then it gets its name. Its
 * next writes form a different history from those made after the backup.
 * @throws StorageFault if `target` exists or the backup is damaged; then nothing is left of it
 */
export async function restoreStore(backupFile: string, target: string): Promise<StoreReport> {
  refuseExisting(target)
  if (!existsSync(backupFile)) throw new StorageFault('not_a_store', `There is no file ${backupFile}.`)
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  try {
    refuseOtherFiles(resolve(backupFile))
    await copyFile(backupFile, partial)
    keepPrivate(partial)
    return await settle(partial, target, beginHistory)
  } catch (error) {
    rmSync(partial, { force: true })
    throw faultOfBackup(error, backupFile)
  }
}

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** Returns the fault of a restore, worded for the backup: the advice for a damaged store does not help here. */
function faultOfBackup(error: unknown, file: string): unknown {
  const fault = faultFrom(error)
  if (!(fault instanceof StorageFault)) return fault
  const said =
    {
      [SQLITE_CORRUPT]: `The backup ${file} is damaged. Nothing was restored; take another backup.`,
      [SQLITE_NOTADB]: `${file} is not a backup of a store. Nothing was restored.`,
    }[primaryCode(error) ?? 0] ?? `${file}: ${fault.message}`
  return new StorageFault(fault.code, said, { cause: fault.cause })
}

/** Verifies a copy, makes it durable, and gives it its name. */
export async function settle(
  partial: string,
  target: string,
  change: (db: DatabaseSync) => void = () => {},
): Promise<StoreReport> {
  const db = new DatabaseSync(partial)
  try {
    // A copy of a store in WAL mode has it in its header; without it, a backup is one file and can be read anywhere.
    db.exec('PRAGMA journal_mode = DELETE')
    // A backup may have an older format; its own file is not changed.
    if (isOlder(db)) migrate(db, undefined)
    change(db)
  } finally {
    db.close()
  }
  const report = verifyStore(partial)
  const [problem] = report.problems
  if (problem !== undefined) {
    throw new StorageFault('damaged', `The copy is damaged: ${problem} It was not put in place.`)
  }
  await sync(partial)
  // Must not overwrite a file that has appeared meanwhile.
  refuseExisting(target)
  await rename(partial, target)
  await sync(dirname(resolve(target)))
  return report
}

/** Gives a store's history a new epoch, also in its own values that name versions of it. */
function beginHistory(db: DatabaseSync): void {
  const [before] = query<[string]>(db, 'SELECT epoch FROM store').get() ?? []
  if (before === undefined) return
  const next = mintEpoch()
  db.prepare(
    'UPDATE metadata SET version = replace(version, ?1, ?2), value = replace(value, ?1, ?2) WHERE instr(value || version, ?1)',
  ).run(`${before}-`, `${next}-`)
  db.prepare('UPDATE store SET epoch = ?').run(next)
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Refuses a file that exists already, or whose log does. @throws StorageFault `not_a_store` */
export function refuseExisting(target: string): void {
  for (const path of [target, `${target}-wal`]) {
    if (existsSync(path))
      throw new StorageFault('not_a_store', `${path} exists. Nothing is ever written over it.`)
  }
}
