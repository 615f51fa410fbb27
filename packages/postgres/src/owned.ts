import type { Owned } from '@worldwright/core/store'
import type { Database } from './database.ts'
import { text } from './rows.ts'

/** Counts the owned entities by type and lists up to `limit` shadowed ones. @throws StoreFault */
export function ownedOf(database: Database, limit: number): Promise<Owned> {
  return database.reading(async (session) => {
    const counts = await session.query<{ type: Buffer; entities: number; shadowed: number }>(
      `SELECT type, count(*) AS entities, count(nullif(filed, '')) AS shadowed FROM owned GROUP BY type ORDER BY type`,
    )
    const shadowed = await session.query<{ type: Buffer; id: Buffer; isDeleted: boolean }>(
      `SELECT o.type, o.id, e.id IS NULL AS "isDeleted" FROM owned o LEFT JOIN entities e ON e.type = o.type AND e.id = o.id
       WHERE nullif(o.filed, '') IS NOT NULL ORDER BY o.type, o.id LIMIT $1`,
      [limit],
    )
    return {
      types: new Map(counts.map(({ type, entities, shadowed }) => [text(type), { entities, shadowed }])),
      shadowed: shadowed.map(({ type, id, isDeleted }) => ({ type: text(type), id: text(id), isDeleted })),
    }
  })
}
