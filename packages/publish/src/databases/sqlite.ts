import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import type { ColumnType } from '../formats/table/columns.ts'
import {
  type Database,
  type DatabaseTable,
  doubleJson,
  type ForeignKey,
  integerJson,
  JsonCells,
  quoted,
  type Rows,
  type RowsWanted,
} from './database.ts'

/** Opens a file read-only. @throws an SQLite error if the file is damaged or not a database */
export function openSqlite(file: string): Database {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    // The first read takes the snapshot seen by all reads.
    database.exec('BEGIN')
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
  } catch (error) {
    database.close()
    throw error
  }
  return {
    tables: async () => tablesOf(database),
    read: async (wanted) => rowsOf(database, wanted),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}

function tablesOf(database: DatabaseSync): DatabaseTable[] {
  const names = database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite@_%' ESCAPE '@' ORDER BY name",
    )
    .all()
  const hidden = hiddenTables(database)
  const tables = names.map(({ name }) => String(name)).filter((name) => !hidden.has(name))
  return tables.map((name) => tableOf(database, name))
}

/** Returns the names of virtual tables and of the shadow tables that store their data, such as those of FTS. */
function hiddenTables(database: DatabaseSync): Set<string> {
  const rows = database
    .prepare("SELECT name FROM pragma_table_list WHERE type IN ('shadow', 'virtual')")
    .all()
  return new Set(rows.map(({ name }) => String(name)))
}

function tableOf(database: DatabaseSync, name: string): DatabaseTable {
  const found = database.prepare('SELECT * FROM pragma_table_xinfo(?) WHERE hidden <> 1').all(name)
  const key = found.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a['pk']) - Number(b['pk']))
  return {
    name,
    columns: found.map(({ name: column, type, notnull, pk }) => ({
      name: String(column),
      type: typeOf(String(type)),
      required: Number(notnull) === 1 || Number(pk) > 0,
    })),
    key: key.map(({ name: column }) => String(column)),
    references: foreignKeys(database, name),
  }
}

function foreignKeys(database: DatabaseSync, table: string): ForeignKey[] {
  const keys = new Map<number, { table: string; columns: string[]; to: string[] }>()
  const primary = database.prepare('SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0 ORDER BY pk')
  for (const row of database
    .prepare('SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq')
    .all(table)) {
    const other = String(row['table'])
    const key = keys.get(Number(row['id'])) ?? { table: other, columns: [], to: [] }
    keys.set(Number(row['id']), key)
    key.columns.push(String(row['from']))
    // Without a column name, the foreign key refers to the primary key of the other table.
    const to = row['to'] ?? primary.all(other)[key.columns.length - 1]?.['name']
    if (to !== undefined) key.to.push(String(to))
  }
  return [...keys.values()]
}

/** Maps a declared type by SQLite's affinity rules, and by common names such as BOOLEAN, JSON and DATE. */
function typeOf(declared: string): ColumnType {
  const name = declared.toUpperCase()
  if (/^BOOL/.test(name)) return 'boolean'
  if (/^JSON/.test(name)) return 'json'
  if (/INT/.test(name)) return 'integer'
  if (/REAL|FLOA|DOUB|NUMERIC|DECIMAL/.test(name)) return 'number'
  if (/^DATE$/.test(name)) return 'date'
  return /^(?:DATETIME|TIMESTAMP)/.test(name) ? 'date-time' : 'text'
}

function rowsOf(database: DatabaseSync, wanted: RowsWanted): Rows {
  const sql = 'query' in wanted ? wanted.query : `SELECT * FROM ${quoted(wanted.table)}`
  const statement = database.prepare(sql, { returnArrays: true, readBigInts: true })
  const columns = statement.columns()
  const json = new JsonCells()
  const types = columns.map(({ type }) => typeOf(type ?? ''))
  const names = columns.map(({ name }) => name)
  async function* rows() {
    for (const row of statement.iterate()) {
      const cells = row as unknown as SQLOutputValue[]
      yield cells.map((cell, at) =>
        cellJson(cell, types[at], (text) => json.exactOrText(names[at] ?? '', text)),
      )
    }
  }
  return { columns: names, rows: rows(), asText: json.asText }
}

function cellJson(
  value: SQLOutputValue,
  type: ColumnType | undefined,
  jsonCell: (text: string) => string,
): string | undefined {
  if (value === null) return undefined
  if (typeof value === 'bigint') {
    if (type === 'boolean' && (value === 0n || value === 1n)) return String(value === 1n)
    return integerJson(String(value))
  }
  if (typeof value === 'number') return doubleJson(value)
  if (typeof value === 'string') {
    return type === 'json' ? jsonCell(value) : JSON.stringify(value)
  }
  return JSON.stringify(Buffer.from(value).toString('base64'))
}
