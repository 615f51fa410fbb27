import type { Snapshot, StoredEntity } from '@worldwright/core/store'
import type { Client } from 'pg'
import { type Database, faultFrom } from './database.ts'
import { bytes, text } from './rows.ts'

/** Number of entities per FETCH. */
const FETCHED = 500

/** Opens a snapshot of the currently committed state in a transaction of a dedicated connection. @throws StoreFault */
export async function openDatabaseSnapshot(database: Database): Promise<Snapshot> {
  const client = await database.connect()
  try {
    // A transaction's snapshot is taken by its first query, not by BEGIN.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT epoch FROM store')
  } catch (error) {
    await client.end()
    throw faultFrom(error)
  }
  let walks = 0
  return {
    entities: (type) => walk(client, `walk${++walks}`, type),
    close: () => client.end(),
  }
}

interface Row {
  readonly type: Buffer
  readonly id: Buffer
  readonly revision: string
  readonly json: string
}

/** Yields the entities through a separate cursor, so that several walks can run concurrently. */
async function* walk(client: Client, name: string, type: string | undefined): AsyncGenerator<StoredEntity> {
  const where = type === undefined ? '' : 'WHERE type = $1'
  try {
    await client.query(
      `DECLARE ${name} NO SCROLL CURSOR FOR SELECT type, id, revision, json FROM entities ${where} ORDER BY type, id`,
      type === undefined ? [] : [bytes(type)],
    )
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${FETCHED} FROM ${name}`)
      for (const row of rows) yield { ...row, type: text(row.type), id: text(row.id) }
      if (rows.length < FETCHED) break
    }
    await client.query(`CLOSE ${name}`)
  } catch (error) {
    throw faultFrom(error)
  }
}
