/** The tables of a file: what a definition can make sources of, and what is known of each without reading all of it. */

import type { ReadRecord } from '@worldwright/server/entities'
import type { DatabaseKind, DatabaseTable } from '../databases/database.ts'
import { DatabaseSession } from '../databases/database-source.ts'
import { allOf, peek } from '../read/bytes.ts'
import { MAX_DOCUMENT_BYTES } from '../read/json-document.ts'
import { type ReadOptions, readRecords } from '../read/read-records.ts'
import { SourceFault, sourceFromFile, unpackedBytes } from '../read/record-source.ts'
import type { ListedColumn } from './listed-column.ts'
import { recordLists } from './record-lists.ts'
import { sheetsOf } from './sheets.ts'

/** Columns that name the rows of another table of the same file. */
export interface ListedReference {
  readonly column: string
  /** The name of the other table, as `ListedTable.name`. */
  readonly table: string
  /** The column of the other table. */
  readonly to: string
}

/** A table of a database, a sheet of a workbook, a list of records in a document, or a whole file. */
export interface ListedTable {
  /** What people call it: the name of the table, sheet or list; of a whole file, its own. */
  readonly name: string
  /** What a source of a definition says, so that it is read. */
  readonly source: Readonly<Record<string, string>>
  /** None where nothing is declared: then the records show them. */
  readonly columns: readonly ListedColumn[]
  /** The columns of its primary key; none where none is declared. */
  readonly key: readonly string[]
  readonly references: readonly ListedReference[]
  /** Reads its records, each time from the beginning. What it holds open is closed with the end of the reading. */
  readonly records: () => AsyncGenerator<ReadRecord>
}

/** What a listing is asked for. */
export interface ListOptions {
  /** Absolute; what addresses of files are relative to. */
  readonly folder: string
  /** What the definition calls the file. */
  readonly address: string
  /** Ends a named pipe. */
  readonly signal?: AbortSignal
}

/**
 * The tables of a file: of a SQLite file its tables and views, of a workbook its sheets with cells, of a JSON document
 * its lists of records, of any other file one.
 * @throws SourceFault where it cannot be read
 */
export async function listTables(path: string, options: ListOptions): Promise<ListedTable[]> {
  const { address, signal } = options
  const open = () => sourceFromFile(path, address, { ...(signal && { signal }) })
  const first = await open()
  // A pipe can be read but once.
  if (first.size === undefined) return [wholeFile(address, () => readRecords(first))]
  const peeked = await peek(unpackedBytes(first), 512)
  const head = peeked.head.toString('latin1')
  await peeked.rest.return?.()
  if (head.startsWith('SQLite format 3')) return listDatabase('sqlite', options)
  const read = (how: ReadOptions) =>
    async function* () {
      yield* readRecords(await open(), how)
    }
  const table = (name: string, how: { readonly sheet?: string; readonly records?: string }): ListedTable => ({
    ...wholeFile(address, read(how)),
    name,
    source: { file: address, ...how },
  })
  if (head.startsWith('PK\x03\x04')) {
    const bytes = await allOf(unpackedBytes(await open()), MAX_DOCUMENT_BYTES)
    const sheets = bytes ? await sheetsOf(bytes).catch((cause) => failed(address, cause)) : []
    const isOne = sheets.length === 1
    return sheets.map(({ name, columns }) => ({ ...table(name, isOne ? {} : { sheet: name }), columns }))
  }
  const lists = await recordLists(await open())
  if (lists.length > 0) return lists.map(({ name, path: records }) => table(name, { records }))
  return [wholeFile(address, read({}))]
}

function failed(address: string, cause: Error): never {
  throw new SourceFault(`${address}: ${cause.message}.`, { cause })
}

/** The tables and views of a database. @throws SourceFault where it cannot be read */
export async function listDatabase(
  kind: DatabaseKind,
  { folder, address }: ListOptions,
): Promise<ListedTable[]> {
  const session = new DatabaseSession({ kind, address, folder })
  try {
    const tables = await session.tables()
    return tables.map((table) => ofDatabase(table, kind, address, folder))
  } finally {
    await session.close()
  }
}

function ofDatabase(table: DatabaseTable, kind: DatabaseKind, address: string, folder: string): ListedTable {
  const { name, columns, key, references } = table
  return {
    name,
    source: { [kind]: address, table: name },
    columns: columns.map(({ name: column, type, required }) => ({ name: column, type, required })),
    key,
    references: references.flatMap(({ columns: [column, ...more], table: other, to: [to] }) =>
      column === undefined || to === undefined || more.length > 0 ? [] : [{ column, table: other, to }],
    ),
    async *records() {
      const session = new DatabaseSession({ kind, address, folder })
      const source = session.source({
        wanted: { table: name },
        columns: [],
        hasId: true,
        hasReferences: true,
      })
      try {
        yield* readRecords(source, { format: 'ndjson' })
      } finally {
        await session.close()
      }
    },
  }
}

function wholeFile(address: string, records: () => AsyncGenerator<ReadRecord>): ListedTable {
  const file = address.replaceAll('\\', '/').split('/').at(-1) ?? address
  const name = file.replace(/\.gz$/i, '').replace(/\.[^.]+$/, '')
  return { name, source: { file: address }, columns: [], key: [], references: [], records }
}
