/** Reads a MySQL or MariaDB database in one read-only transaction. */

import { parseJson } from '@worldwright/entities'
import { type Connection, createConnection, type FieldPacket, type RowDataPacket } from 'mysql2'
import type { ColumnType, ListedColumn } from '../formats/table/columns.ts'
import {
  type Database,
  type DatabaseTable,
  doubleJson,
  integerJson,
  oneLine,
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
    const found = new Map<string, ListedTable>()
    for (const [name = '', column = '', declared = '', nullable, isKey] of columns) {
      const table: ListedTable = found.get(name) ?? { name, columns: [], key: [], keys: new Map() }
      found.set(name, table)
      table.columns.push({ name: column, type: typeOf(declared), required: nullable === 'NO' })
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
    const cells = fields.map(cellReader)
    async function* rows() {
      for await (const row of stream) {
        yield (row as (Buffer | null)[]).map((bytes, at) =>
          bytes === null ? undefined : (cells[at] as CellReader)(bytes),
        )
      }
    }
    return { columns: fields.map(({ name }) => name), rows: rows() }
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

function cellReader({ columnType, columnLength, characterSet, extendedFormat }: FieldPacket): CellReader {
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
      return (bytes) => oneLine(bytes.toString())
    case TYPE.geometry:
      return (bytes) => json(bytes.toString('base64'))
    case TYPE.decimal:
    case TYPE.newdecimal:
      return (bytes) => json(bytes.toString())
    default:
      if (extendedFormat === 'json') return (bytes) => jsonOrText(bytes.toString())
      // Dates and times also have the binary character set.
      return (bytes) =>
        json(bytes.toString(characterSet === BINARY && isBlob(columnType) ? 'base64' : 'utf8'))
  }
}

const TRUTHS: Readonly<Record<string, string>> = { '0': 'false', '1': 'true' }

function isBlob(columnType: number | undefined): boolean {
  return columnType !== undefined && columnType >= 249
}

function jsonOrText(text: string): string {
  return 'value' in parseJson(text) ? oneLine(text) : JSON.stringify(text)
}

function typeOf(declared: string): ColumnType {
  if (/^tinyint\(1\)|^bit\(1\)/.test(declared)) return 'boolean'
  if (/int\b|^year|^bit/.test(declared.replace(/\(.*/, ''))) return 'integer'
  if (/^(?:float|double)/.test(declared)) return 'number'
  if (declared === 'date' || declared === 'json') return declared
  return declared.startsWith('timestamp') ? 'date-time' : 'text'
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

const COLUMNS = `
SELECT c.table_name, c.column_name, c.column_type, c.is_nullable, c.column_key
FROM information_schema.columns c WHERE c.table_schema = DATABASE() ORDER BY c.table_name, c.ordinal_position`

const KEYS = `
SELECT k.table_name, k.constraint_name, k.column_name, k.referenced_table_name, k.referenced_column_name
FROM information_schema.key_column_usage k WHERE k.table_schema = DATABASE()
ORDER BY k.table_name, k.constraint_name, k.ordinal_position`
