import { Client, type FieldDef } from 'pg'
import type { ColumnType, ListedColumn } from '../formats/table/columns.ts'
import {
  type Database,
  type DatabaseTable,
  decimalsOf,
  doubleJson,
  integerJson,
  JsonCells,
  quoted,
  type Rows,
  type RowsWanted,
} from './database.ts'

/** Number of rows per FETCH. */
const FETCHED = 1_000

const CONNECT_MS = 10_000

/** Disables type parsing, so that every value remains the text sent by the server. */
const AS_TEXT = { getTypeParser: () => (text: string) => text } as const

/** Opens a database, which is read in one read-only transaction. @throws a server or network error */
export async function openPostgres(url: string): Promise<Database> {
  const client = new Client({
    connectionString: url,
    application_name: 'worldwright',
    connectionTimeoutMillis: CONNECT_MS,
    types: AS_TEXT,
  })
  // If the connection breaks, the pending query fails and reports the error.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(
      "SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'iso_8601'",
    )
    await client.query("SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'")
  } catch (error) {
    await client.end()
    throw error
  }
  return new PostgresDatabase(client)
}

class PostgresDatabase implements Database {
  readonly #client: Client
  #cursors = 0

  constructor(client: Client) {
    this.#client = client
  }

  async tables(): Promise<DatabaseTable[]> {
    const { rows } = await this.#client.query<{ tables: string | null }>(TABLES)
    return (JSON.parse(rows[0]?.tables ?? '[]') as ListedRow[]).map(
      (table): DatabaseTable => ({ key: [], references: [], ...table, columns: table.columns.map(columnOf) }),
    )
  }

  async read(wanted: RowsWanted): Promise<Rows> {
    const sql =
      'query' in wanted ? wanted.query.replace(/[;\s]+$/, '') : `SELECT * FROM ${quotedTable(wanted.table)}`
    // The line break terminates a comment at the end of the query.
    const from = `FROM (${sql}\n) AS t`
    const { fields } = await this.#client.query(`SELECT * ${from} LIMIT 0`)
    const json = new JsonCells()
    const select = await this.#selected(fields, json)
    const cursor = `worldwright_${++this.#cursors}`
    await this.#client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${select.list} ${from}`)
    const rows = this.#fetched(cursor, select.cells)
    return { columns: fields.map(({ name }) => name), rows, asText: json.asText }
  }

  async close(): Promise<void> {
    await this.#client.end()
  }

  async *#fetched(cursor: string, cells: readonly CellReader[]) {
    for (;;) {
      const { rows } = await this.#client.query<(string | null)[]>({
        text: `FETCH ${FETCHED} FROM ${cursor}`,
        rowMode: 'array',
      })
      for (const row of rows) {
        yield row.map((text, at) => (text === null ? undefined : (cells[at] as CellReader)(text)))
      }
      if (rows.length < FETCHED) break
    }
    await this.#client.query(`CLOSE ${cursor}`)
  }

  /** Builds the select list. The server converts arrays and composite values to JSON, since it knows their members. */
  async #selected(fields: readonly FieldDef[], json: JsonCells) {
    const { rows } = await this.#client.query<{ oid: string; base: string; kind: string; element: string }>(
      `SELECT t.oid, coalesce(nullif(t.typbasetype, 0), t.oid) AS base, t.typcategory AS kind, t.typelem AS element
       FROM pg_type t WHERE t.oid = ANY($1::oid[])`,
      [fields.map(({ dataTypeID }) => dataTypeID)],
    )
    const types = new Map(rows.map((row) => [Number(row.oid), row]))
    const names = fields.map(({ name }) => name)
    // The caller refuses columns with equal names, so it does not matter how they are read.
    if (new Set(names).size < names.length) return { list: '*', cells: fields.map(() => JSON.stringify) }
    const parts = fields.map(({ name, dataTypeID }): { column: string; cell: CellReader } => {
      const type = types.get(dataTypeID)
      const column = `t.${quoted(name)}`
      const jsonCell: CellReader = (text) => json.exact(name, text)
      if (type?.kind !== 'A' && type?.kind !== 'C')
        return { column, cell: cellReader(Number(type?.base ?? dataTypeID), jsonCell) }
      // Decimal elements keep all their digits as text.
      const exact = Number(type.element) === OID.numeric ? `${column}::text[]` : column
      return { column: `to_json(${exact})`, cell: jsonCell }
    })
    return { list: parts.map(({ column }) => column).join(', '), cells: parts.map(({ cell }) => cell) }
  }
}

type CellReader = (text: string) => string

/** Object ids of built-in types. They never change. */
const OID = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  json: 114,
  float4: 700,
  float8: 701,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  jsonb: 3802,
  oid: 26,
} as const

function cellReader(oid: number, jsonCell: CellReader): CellReader {
  switch (oid) {
    case OID.bool:
      return (text) => String(text === 't')
    case OID.int2:
    case OID.int4:
    case OID.int8:
    case OID.oid:
      return integerJson
    case OID.float4:
    case OID.float8:
      return (text) => doubleJson(Number(text))
    case OID.json:
    case OID.jsonb:
      return jsonCell
    case OID.bytea:
      return (text) => JSON.stringify(Buffer.from(text.slice(2), 'hex').toString('base64'))
    case OID.timestamp:
      return (text) => JSON.stringify(text.replace(' ', 'T'))
    case OID.timestamptz:
      return (text) => JSON.stringify(text.replace(' ', 'T').replace(/\+00(?= BC|$)/, 'Z'))
    default:
      return JSON.stringify
  }
}

function columnOf({ declared, isJson, ...column }: ListedRow['columns'][number]): ListedColumn {
  return { ...column, type: isJson ? 'json' : typeOf(declared), ...decimalsOf(declared) }
}

function typeOf(declared: string): ColumnType {
  if (/^(?:smallint|integer|bigint|oid)$/.test(declared)) return 'integer'
  if (/^(?:real|double precision)$/.test(declared)) return 'number'
  if (declared === 'boolean' || declared === 'date') return declared
  if (/^jsonb?$/.test(declared)) return 'json'
  return declared.endsWith('with time zone') && declared.startsWith('timestamp') ? 'date-time' : 'text'
}

/** Quotes a table name. In `sales.orders`, `sales` is a schema. A table whose own name contains a dot requires a query. */
function quotedTable(name: string): string {
  return name.split('.').map(quoted).join('.')
}

/** A table as the server lists it, without members that are null. */
interface ListedRow extends Omit<Partial<DatabaseTable>, 'columns'> {
  readonly name: string
  readonly columns: readonly (Omit<ListedColumn, 'type'> & { declared: string; isJson: boolean })[]
}

/** Expression for a table name as written in a source, qualified with the schema unless that is on the search path. */
const NAME = `CASE WHEN n.nspname = ANY(current_schemas(false)) THEN c.relname ELSE n.nspname || '.' || c.relname END`

const COLUMNS_OF = (table: string, numbers: string) =>
  `(SELECT json_agg(a.attname ORDER BY k.at) FROM unnest(${numbers}) WITH ORDINALITY AS k(num, at)
    JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.num)`

/** Expression for the declared type of a column, which is that of the values if the type is a domain. */
const DECLARED = `CASE WHEN t.typbasetype = 0 THEN format_type(a.atttypid, a.atttypmod)
  ELSE format_type(t.typbasetype, t.typtypmod) END`

const TABLES = `
SELECT json_agg(json_strip_nulls(row_to_json(t)) ORDER BY t.name)::text AS tables FROM (
  SELECT ${NAME} AS name, obj_description(c.oid, 'pg_class') AS description,
    NOT (has_table_privilege(c.oid, 'SELECT') AND has_schema_privilege(n.oid, 'USAGE')) AS denied,
    (SELECT json_agg(json_build_object('name', a.attname, 'declared', ${DECLARED},
       'isJson', t.typcategory IN ('A', 'C'), 'required', a.attnotnull, 'description', col_description(c.oid, a.attnum),
       'values', (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e
          WHERE e.enumtypid IN (t.oid, t.typbasetype))) ORDER BY a.attnum)
     FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT ${COLUMNS_OF('c.oid', 'p.conkey')} FROM pg_constraint p
     WHERE p.conrelid = c.oid AND p.contype = 'p') AS key,
    (SELECT json_agg(json_build_object('columns', ${COLUMNS_OF('c.oid', 'f.conkey')}, 'table',
       (SELECT ${NAME} FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = f.confrelid),
       'to', ${COLUMNS_OF('f.confrelid', 'f.confkey')}) ORDER BY f.conname)
     FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.conparentid = 0) AS references
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
) t WHERE t.columns IS NOT NULL`
