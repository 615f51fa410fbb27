/** Reads a MySQL or MariaDB database in one read-only transaction. */
import { type Connection, createConnection, type FieldPacket, type RowDataPacket } from 'mysql2'
import type { ColumnType, ListedColumn } from '../formats/table/columns.ts'
import {
  type Database,
  type DatabaseTable,
  decimalsOf,
  doubleJson,
  integerJson,
  JsonCells,
  type Rows,
  type RowsWanted,
} from './database.ts'

const CONNECT_MS = 10_000

/** Maximum number of rows buffered ahead of the reader. */
const WAITING = 1_000

/** Opens a database. @throws a server or network error */
export async function openMysql(url: string): Promise<Database> {
  const password = new URL(url).password === '' ? process.env['MYSQL_PWD'] : undefined
  const connection = createConnection({
    uri: url.replace(/^mariadb:/, 'mysql:'),
    ...(password !== undefined && { password }),
    charset: 'utf8mb4',
    connectTimeout: CONNECT_MS,
    rowsAsArray: true,
    // Keeps every value as the bytes sent by the server, which `cellReader` decodes.
    typeCast: (field: { buffer(): Buffer | null }) => field.buffer(),
  })
  // If the connection breaks, the pending query fails and reports the error.
  connection.on('error', () => {})
  try {
    const promise = connection.promise()
    await promise.query("SET SESSION time_zone = '+00:00'")
    await promise.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ')
    await promise.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
  } catch (error) {
    connection.destroy()
    throw error
  }
  return new MysqlDatabase(connection)
}

class MysqlDatabase implements Database {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async tables(): Promise<DatabaseTable[]> {
    const columns = await this.#texts(COLUMNS)
    const keys = await this.#texts(KEYS)
    const comments = new Map((await this.#texts(COMMENTS)).map(([name = '', comment]) => [name, comment]))
    const found = new Map<string, ListedTable>()
    for (const [name = '', column = '', declared = '', nullable, isKey, comment] of columns) {
      const table: ListedTable = found.get(name) ?? { name, columns: [], key: [], keys: new Map() }
      found.set(name, table)
      table.columns.push(columnFrom(column, declared, nullable === 'NO', comment))
      if (isKey === 'PRI') table.key.push(column)
    }
    for (const [table = '', constraint = '', column = '', other, to] of keys) {
      const listed = found.get(table)
      if (other === undefined || to === undefined) continue
      const key = listed?.keys.get(constraint) ?? { columns: [], table: other, to: [] }
      listed?.keys.set(constraint, key)
      key.columns.push(column)
      key.to.push(to)
    }
    const order = primaryOrder(keys)
    return [...found.values()].map(({ keys: references, key, ...table }) => ({
      ...table,
      description: comments.get(table.name) || undefined,
      key: order.get(table.name) ?? key,
      references: [...references.values()],
    }))
  }

  async read(wanted: RowsWanted): Promise<Rows> {
    const sql = 'query' in wanted ? wanted.query : `SELECT * FROM ${quoted(wanted.table)}`
    const query = this.#connection.query<RowDataPacket[]>(sql)
    const started = Promise.withResolvers<readonly FieldPacket[]>()
    query.on('fields', (fields) => started.resolve([fields ?? []].flat()))
    const stream = query.stream({ highWaterMark: WAITING })
    stream.once('error', started.reject)
    stream.once('end', () => started.resolve([]))
    const fields = await started.promise
    const json = new JsonCells()
    const cells = fields.map((field) => cellReader(field, json))
    async function* rows() {
      for await (const row of stream) {
        yield (row as (Buffer | null)[]).map((bytes, at) =>
          bytes === null ? undefined : (cells[at] as CellReader)(bytes),
        )
      }
    }
    return { columns: fields.map(({ name }) => name), rows: rows(), asText: json.asText }
  }

  async close(): Promise<void> {
    // A query that is not read to its end would keep the connection open.
    this.#connection.destroy()
  }

  async #texts(sql: string): Promise<(string | undefined)[][]> {
    const [rows] = await this.#connection.promise().query(sql)
    return (rows as (Buffer | null)[][]).map((row) => row.map((cell) => cell?.toString()))
  }
}

interface ListedTable {
  readonly name: string
  readonly columns: ListedColumn[]
  readonly key: string[]
  readonly keys: Map<string, { columns: string[]; table: string; to: string[] }>
}

function primaryOrder(keys: readonly (string | undefined)[][]): Map<string, string[]> {
  const order = new Map<string, string[]>()
  for (const [table = '', constraint, column = ''] of keys) {
    if (constraint === 'PRIMARY') order.set(table, [...(order.get(table) ?? []), column])
  }
  return order
}

type CellReader = (bytes: Buffer) => string

/** Type numbers of the MySQL protocol, which never change. */
const TYPE = {
  decimal: 0,
  tiny: 1,
  short: 2,
  long: 3,
  float: 4,
  double: 5,
  timestamp: 7,
  longlong: 8,
  int24: 9,
  datetime: 12,
  year: 13,
  bit: 16,
  json: 245,
  newdecimal: 246,
  geometry: 255,
} as const

/** Character set number that marks bytes as binary rather than text. */
const BINARY = 63

function cellReader(
  { name, columnType, columnLength, characterSet, extendedFormat }: FieldPacket,
  jsonCells: JsonCells,
): CellReader {
  const json = (text: string) => JSON.stringify(text)
  switch (columnType) {
    case TYPE.tiny:
      // `BOOLEAN` is an alias of `TINYINT(1)`.
      if (columnLength === 1) return (bytes) => TRUTHS[bytes.toString()] ?? integerJson(bytes.toString())
      return (bytes) => integerJson(bytes.toString())
    case TYPE.short:
    case TYPE.long:
    case TYPE.int24:
    case TYPE.longlong:
    case TYPE.year:
      return (bytes) => integerJson(bytes.toString())
    case TYPE.float:
    case TYPE.double:
      return (bytes) => doubleJson(Number(bytes.toString()))
    case TYPE.bit:
      if (columnLength === 1) return (bytes) => String(bytes[0] === 1)
      return (bytes) => integerJson(String(BigInt(`0x${bytes.toString('hex')}`)))
    case TYPE.datetime:
      return (bytes) => json(bytes.toString().replace(' ', 'T'))
    case TYPE.timestamp:
      return (bytes) => json(`${bytes.toString().replace(' ', 'T')}Z`)
    case TYPE.json:
      return (bytes) => jsonCells.exact(name, bytes.toString())
    case TYPE.geometry:
      return (bytes) => json(bytes.toString('base64'))
    case TYPE.decimal:
    case TYPE.newdecimal:
      return (bytes) => json(bytes.toString())
    default:
      if (extendedFormat === 'json') return (bytes) => jsonCells.exactOrText(name, bytes.toString())
      // Dates and times also have the binary character set.
      return (bytes) =>
        json(bytes.toString(characterSet === BINARY && isBlob(columnType) ? 'base64' : 'utf8'))
  }
}

const TRUTHS: Readonly<Record<string, string>> = { '0': 'false', '1': 'true' }

function isBlob(columnType: number | undefined): boolean {
  return columnType !== undefined && columnType >= 249
}

/** Returns a column as `information_schema.columns` describes it: `decimal(10,2)` or `enum('a','b')`, for example. */
export function columnFrom(name: string, declared: string, required: boolean, comment = ''): ListedColumn {
  const [, labels] = /^enum\((.*)\)$/s.exec(declared) ?? []
  const type = typeOf(declared)
  return {
    name,
    ...(type !== undefined && { type }),
    required,
    ...(comment !== '' && { description: comment }),
    ...(labels !== undefined && {
      values: [...labels.matchAll(/'((?:[^']|'')*)'/g)].map(([, label = '']) => label.replaceAll("''", "'")),
    }),
    ...decimalsOf(declared),
  }
}

/** Returns the type of values, or undefined for a long text, as which MariaDB declares JSON. */
function typeOf(declared: string): ColumnType | undefined {
  if (declared === 'longtext') return undefined
  if (/^tinyint\(1\)|^bit\(1\)/.test(declared)) return 'boolean'
  if (/^(?:tiny|small|medium|big)?int\b|^year|^bit/.test(declared)) return 'integer'
  if (/^(?:float|double)/.test(declared)) return 'number'
  if (declared === 'date' || declared === 'json') return declared
  return declared.startsWith('timestamp') ? 'date-time' : 'text'
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

const COLUMNS = `
SELECT c.table_name, c.column_name, c.column_type, c.is_nullable, c.column_key, c.column_comment
FROM information_schema.columns c WHERE c.table_schema = DATABASE() AND c.extra NOT LIKE '%INVISIBLE%'
ORDER BY c.table_name, c.ordinal_position`

/** Comments on tables. That on a view is only its kind. */
const COMMENTS = `
SELECT t.table_name, t.table_comment FROM information_schema.tables t
WHERE t.table_schema = DATABASE() AND t.table_type <> 'VIEW'`

const KEYS = `
SELECT k.table_name, k.constraint_name, k.column_name, k.referenced_table_name, k.referenced_column_name
FROM information_schema.key_column_usage k WHERE k.table_schema = DATABASE()
ORDER BY k.table_name, k.constraint_name, k.ordinal_position`
