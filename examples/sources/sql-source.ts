/** A source over tables in SQLite, each with the primary key `id` of type TEXT. */
import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Entity } from '@worldwright/client/protocol'
import { type Source, storedEntity } from '@worldwright/core/store'

/** The name of a table, and the entity that a row of it describes. */
export type Table = { name: string; entity(row: Record<string, unknown>): Omit<Entity, 'type'> }

/** Creates a source over one table for each type. `database` serves this source alone, and is opened with `readOnly`. */
export function sqlSource(database: DatabaseSync, tables: Readonly<Record<string, Table>>): Source {
  const types = Object.keys(tables).sort()
  const rows = (type: string, rest: string, ...values: (string | number)[]) => {
    const { name, entity } = tables[type] ?? {}
    if (!entity) return []
    const found = database.prepare(`SELECT * FROM ${name} ${rest}`).all(...values)
    return found.map((row) => storedEntity({ ...entity(row), type }))
  }
  const count = (type: string) => {
    const from = tables[type]?.name ?? '(SELECT NULL AS id WHERE false)'
    const counted = database.prepare(`SELECT count(*) AS n, typeof(min(id)) AS kind FROM ${from}`).get()
    if (counted?.['kind'] === 'integer') throw new TypeError(`The ids of ${from} must be TEXT`)
    return Number(counted?.['n'])
  }
  const process = randomUUID()
  const changes = database.prepare('PRAGMA data_version')
  // SQLite counts the commits of other connections, with a separate count for each connection.
  const version = () => `${process}-${changes.get()?.['data_version']}`
  return {
    get: (type, id) => rows(type, 'WHERE id = ?', id)[0],
    list: (type, { after = '', limit }) => ({
      version: version(), // Read before the rows: if these change in between, they are only read again.
      entities: rows(type, 'WHERE id > ? ORDER BY id LIMIT ?', after, limit),
      total: count(type),
    }),
    types: () => new Map(types.map((type) => [type, { version: version(), count: count(type) }])),
    version,
  }
}
