/** Snapshots, each a separate connection with an open read transaction. */
import { damagedEntity, type Snapshot, type StoredEntity } from '@worldwright/core/store'
import { readEntityFrom } from './checksum.ts'
import { connectReader } from './connect.ts'
import { query } from './row-query.ts'
import { faultFrom, withFaults } from './sqlite-faults.ts'

type Row = [type: string, id: string, revision: string, json: string, checksum: number | null]

/** Opens a snapshot of the last commit. While it is open, the write-ahead log keeps growing. @throws StoreFault */
export function openSnapshot(path: string): Snapshot {
  const db = connectReader(path)
  // A transaction's snapshot is taken at its first read, not at its beginning.
  db.exec('BEGIN; SELECT number FROM store')
  return {
    entities(type) {
      const where = type === undefined ? '' : 'WHERE type = ?'
      const sql = `SELECT type, id, revision, json, checksum FROM entities ${where} ORDER BY type, id`
      // Each iteration needs its own statement, so that several can run at a time.
      const rows = withFaults(() => query<Row>(db, sql))
      return stored(rows.iterate(...(type === undefined ? [] : [type])))
    },
    close() {
      if (db.isOpen) db.close()
    },
  }
}

function* stored(rows: Iterable<Row>): Generator<StoredEntity> {
  try {
    for (const row of rows) {
      const found = readEntityFrom(...row)
      if (found === 'damaged') throw damagedEntity({ type: row[0], id: row[1] })
      yield found
    }
  } catch (error) {
    throw faultFrom(error)
  }
}
