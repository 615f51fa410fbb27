/** Verifies every part of a store: the file, the entities, and all derived data. */
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { checksumOf } from './checksum.ts'
import { connectReader, refuseOtherFiles } from './connect.ts'
import { query } from './row-query.ts'
import { faultFrom } from './sqlite-faults.ts'
import { StoreExamination, type StoreReport } from './store-report.ts'

/** Verifies a store in one snapshot, with constant memory. @throws StoreFault if it cannot be opened */
export function verifyStore(file: string): StoreReport {
  const path = resolve(file)
  refuseOtherFiles(path)
  const db = connectReader(path)
  try {
    db.exec('BEGIN')
    return reportOn(db)
  } catch (error) {
    throw faultFrom(error)
  } finally {
    db.close()
  }
}

function reportOn(db: DatabaseSync): StoreReport {
  const examination = new StoreExamination()
  for (const { integrity_check: said } of db.prepare('PRAGMA integrity_check').all())
    if (said !== 'ok') examination.problem(`SQLite says: ${said}.`)
  const exists = query<[number]>(db, 'SELECT 1 FROM entities WHERE type = ? AND id = ?')
  const rows = query<[string, string, string, string, number | null]>(
    db,
    'SELECT type, id, revision, json, checksum FROM entities ORDER BY type, id',
  )
  for (const [type, id, revision, json, checksum] of rows.iterate()) {
    const isWhole = checksum === checksumOf(type, id, revision, json)
    const references = examination.entity(
      { type, id, revision, json },
      isWhole ? undefined : 'has another checksum than was written',
    )
    for (const reference of references)
      if (exists.get(reference.type, reference.id) === undefined)
        examination.dangling({ type, id }, reference)
  }
  examination.counts(query<[string, number]>(db, 'SELECT type, count FROM types').iterate())
  return examination.report()
}
