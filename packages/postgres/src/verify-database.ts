import type { EntityKey } from '@worldwright/core/store'
import { StoreExamination, type StoreReport } from '@worldwright/sqlite'
import { Database } from './database.ts'
import { stateOf } from './database-state.ts'
import { pages } from './pages.ts'
import { bytes, text } from './rows.ts'
import type { Session } from './session.ts'

/** Verifies a store in one snapshot, without blocking writes. @throws StoreFault if it cannot be reached */
export async function verifyDatabase(url: string): Promise<StoreReport> {
  const database = new Database(url)
  try {
    return await database.reading(reportOn)
  } finally {
    await database.close()
  }
}

async function reportOn(session: Session): Promise<StoreReport> {
  const examination = new StoreExamination()
  const { types } = await stateOf(session)
  const rows = pages<Row>(session, 'SELECT type, id, revision, json FROM entities ORDER BY type, id')
  for await (const page of rows) {
    const found = page.flatMap((row) => {
      const entity = { ...row, type: text(row.type), id: text(row.id) }
      return examination.entity(entity).map((reference) => ({ entity, reference }))
    })
    const missing = await missingAmong(
      session,
      found.map(({ reference }) => reference),
    )
    for (const { entity, reference } of found)
      if (missing.has(nameOf(reference))) examination.dangling(entity, reference)
  }
  examination.counts([...types].map(([type, { count }]) => [type, count]))
  return examination.report()
}

type Row = Record<string, unknown> & {
  readonly type: Buffer
  readonly id: Buffer
  readonly revision: string
  readonly json: string
}

/** Returns the names (see `nameOf`) of the keys that have no entity. */
async function missingAmong(session: Session, keys: readonly EntityKey[]): Promise<Set<string>> {
  const different = [...new Map(keys.map((key) => [nameOf(key), key])).values()]
  if (different.length === 0) return new Set()
  const rows = await session.query<{ type: Buffer; id: Buffer }>(
    `SELECT r.type, r.id FROM unnest($1::bytea[], $2::bytea[]) AS r (type, id)
     WHERE NOT EXISTS (SELECT FROM entities e WHERE e.type = r.type AND e.id = r.id)`,
    [different.map(({ type }) => bytes(type)), different.map(({ id }) => bytes(id))],
  )
  return new Set(rows.map(({ type, id }) => nameOf({ type: text(type), id: text(id) })))
}

function nameOf({ type, id }: EntityKey): string {
  return `${type} ${id}`
}
