/** Reads database tables and queries as sources. Each row becomes a line of NDJSON. */

import { SourceFault } from '../bytes/source-fault.ts'
import { checkColumns } from '../formats/table/columns.ts'
import type { RecordSource } from '../input/record-source.ts'
import type { Database, DatabaseKind, DatabaseTable, RowsWanted } from './database.ts'
import { type InEnvironment, serverFault, serverUrl } from './server-address.ts'

/** Kind and address of a database, as specified in a definition. */
export interface DatabaseAddress extends InEnvironment {
  readonly kind: DatabaseKind
  /** Path of a file, or the address of a server as written in the definition. */
  readonly address: string
  /** Absolute path of the folder to which a file path is relative. */
  readonly folder: string
}

/** Description of a source whose rows become records. */
export interface RowSource {
  readonly wanted: RowsWanted
  /** Columns named by the definition. */
  readonly columns: readonly string[]
  /** Set if the definition names the id column. */
  readonly hasId: boolean
  /** Set if the definition names the references. Foreign keys are then ignored. */
  readonly hasReferences: boolean
}

/** A table loaded by a source, and the type of its entities. */
export interface LoadedTable {
  readonly table: string
  readonly type: string
  /** Id columns. If absent, the primary key is used. */
  readonly id?: readonly string[] | undefined
}

/** Minimum number of characters per chunk of lines. The overhead of a smaller chunk would exceed the cost of its rows. */
const CHUNK_LENGTH = 256 * 1024

/**
 * Shares one database snapshot among several sources. The first read opens the database. The caller must close the session.
 */
export class DatabaseSession {
  readonly #at: DatabaseAddress
  readonly #loaded: readonly LoadedTable[]
  #database: Promise<Database> | undefined
  #tables: Promise<DatabaseTable[]> | undefined

  /** Creates a session. Foreign keys to the `loaded` tables become references to entities. */
  constructor(at: DatabaseAddress, loaded: readonly LoadedTable[] = []) {
    this.#at = at
    this.#loaded = loaded
  }

  /** Lists the tables and views. @throws SourceFault if the database cannot be read */
  async tables(): Promise<DatabaseTable[]> {
    this.#tables ??= this.#opened().then((database) => database.tables())
    return this.#tables.catch((cause) => this.#fail(this.#at.address, cause))
  }

  /** Returns a table or query as a source. Reading the source opens the database. */
  source(from: RowSource): RecordSource {
    const shown = 'table' in from.wanted ? from.wanted.table : shortened(from.wanted.query)
    const name = `${this.#at.address}, ${shown}`
    const notes: string[] = []
    return {
      name,
      bytes: this.#lines(from, name, notes),
      notes,
      checksColumns: true,
      close: () => this.close(),
    }
  }

  /** Ends all reads. May be called more than once. */
  async close(): Promise<void> {
    const database = this.#database
    this.#database = undefined
    this.#tables = undefined
    // If opening failed, the reader has already received the error.
    await database?.then((one) => one.close()).catch(() => {})
  }

  #opened(): Promise<Database> {
    this.#database ??= openDatabase(this.#at)
    return this.#database
  }

  async *#lines(from: RowSource, name: string, notes: string[]): AsyncGenerator<Uint8Array> {
    try {
      const table = await this.#tableOf(from.wanted)
      const { columns, rows, asText } = await (await this.#opened()).read(from.wanted)
      if (columns.length === 0) throw new SourceFault(`${name}: this is no query that gives rows.`)
      const idColumns = from.hasId ? [] : idOf(columns, table)
      const known = idColumns.length > 0 && !columns.includes('id') ? ['id', ...columns] : columns
      checkColumns(columns, name, name)
      checkColumns(known, name, name, from.columns)
      const lineOf = await this.#lineMaker(from, columns, table, idColumns)
      let text = ''
      for await (const row of rows) {
        text += lineOf(row)
        if (text.length < CHUNK_LENGTH) continue
        yield Buffer.from(text)
        text = ''
      }
      if (text !== '') yield Buffer.from(text)
      const kept = [...asText].map(([column, cells]) => `${column} ${cells}`)
      if (kept.length > 0)
        notes.push(
          `${name}: cells of JSON with numbers that would lose digits, kept as text: ${kept.join(', ')}`,
        )
    } catch (cause) {
      return this.#fail(name, cause)
    }
  }

  /** Returns a function that formats a row as a line with its columns, an id from the primary key, and references. */
  async #lineMaker(
    { hasReferences }: RowSource,
    columns: readonly string[],
    table: DatabaseTable | undefined,
    idColumns: readonly string[],
  ): Promise<(row: readonly (string | undefined)[]) => string> {
    const types = hasReferences ? new Map<string, string>() : await this.#referredTypes(table)
    const names = columns.map((column) => `${JSON.stringify(column)}:`)
    const referred = columns.map((column) => types.get(column))
    const idPlaces = columns.includes('id') ? [] : idColumns.map((column) => columns.indexOf(column))
    return (row) => {
      const members = row.flatMap((cell, at) => {
        if (cell === undefined) return []
        const type = referred[at]
        return [names[at] + (type === undefined ? cell : `{"type":${type},"id":${textJson(cell)}}`)]
      })
      const parts = idPlaces.map((at) => row[at])
      if (parts.length > 0 && parts.every((part) => part !== undefined))
        members.unshift(`"id":${JSON.stringify(parts.map((part) => plain(part as string)).join('-'))}`)
      return `{${members.join(',')}}\n`
    }
  }

  /** Maps each foreign key column to the type, as JSON, of the entities it refers to. */
  async #referredTypes(table: DatabaseTable | undefined): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for (const { columns, table: other, to } of table?.references ?? []) {
      const loaded = this.#loaded.find((one) => one.table === other)
      const [column] = columns
      if (loaded === undefined || column === undefined || columns.length > 1) continue
      const id = loaded.id ?? (await this.tables()).find(({ name }) => name === other)?.key ?? []
      // Only a foreign key to the id column refers to an entity.
      if (id.length === 1 && id[0] === to[0]) found.set(column, JSON.stringify(loaded.type))
    }
    return found
  }

  async #tableOf(wanted: RowsWanted): Promise<DatabaseTable | undefined> {
    if (!('table' in wanted)) return undefined
    const tables = await this.tables()
    const found = tables.find(({ name }) => name === wanted.table)
    if (found) return found
    const names = tables.flatMap(({ name, denied }) => (denied ? [] : [name])).join(', ')
    throw new SourceFault(
      `${this.#at.address}: there is no table ${JSON.stringify(wanted.table)}; ${names === '' ? 'there are none' : `the tables are ${names}`}.`,
    )
  }

  #fail(name: string, cause: unknown): never {
    if (cause instanceof SourceFault) throw cause
    const { kind, address, environment } = this.#at
    const why =
      kind === 'sqlite' ? `${(cause as Error).message}.` : serverFault(cause, serverUrl(address, environment))
    throw new SourceFault(`${name}: ${why}`, { cause })
  }
}

/** Opens a database, loading its driver on demand. */
async function openDatabase({ kind, address, folder, environment }: DatabaseAddress): Promise<Database> {
  switch (kind) {
    case 'sqlite': {
      const [{ resolve }, { stat }] = await Promise.all([import('node:path'), import('node:fs/promises')])
      const file = resolve(folder, address)
      await stat(file).catch((cause: NodeJS.ErrnoException) => {
        const why = cause.code === 'ENOENT' ? 'there is no such file' : cause.message
        throw new SourceFault(`${address}: ${why}.`, { cause })
      })
      return (await import('./sqlite.ts')).openSqlite(file)
    }
    case 'postgres':
      return (await import('./postgres.ts')).openPostgres(serverUrl(address, environment))
    case 'mysql':
      return (await import('./mysql.ts')).openMysql(serverUrl(address, environment))
  }
}

/** Returns the default id columns: the column `id`, or else the primary key if all its columns are read. */
function idOf(columns: readonly string[], table: DatabaseTable | undefined): readonly string[] {
  if (columns.includes('id')) return ['id']
  return table?.key.every((column) => columns.includes(column)) ? table.key : []
}

function textJson(cell: string): string {
  return cell.startsWith('"') ? cell : JSON.stringify(cell)
}

function plain(cell: string): string {
  return cell.startsWith('"') ? JSON.parse(cell) : cell
}

const SHOWN_QUERY = 40

function shortened(query: string): string {
  const line = query.trim().replaceAll(/\s+/g, ' ')
  return line.length > SHOWN_QUERY ? `${line.slice(0, SHOWN_QUERY)}…` : line
}
