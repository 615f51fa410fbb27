/** The tables of a file: what a definition can make sources of, and what is known of each without reading all of it. */

import type { ReadRecord } from '@worldwright/entities'
import { peek } from '../bytes/bytes.ts'
import type { DatabaseKind, DatabaseTable } from '../databases/database.ts'
import { DatabaseSession } from '../databases/database-source.ts'
import type { ListedColumn } from '../formats/table/columns.ts'
import { baseName } from '../input/file-name.ts'
import { openInput, type ReadOptions, readRecords } from '../input/read-records.ts'
import { sourceFromFile, unpackedBytes } from '../input/record-source.ts'

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
  readonly records: (encoding?: string) => AsyncGenerator<ReadRecord>
}

/** What a listing is asked for. */
export interface ListOptions {
  /** Absolute; what addresses of files are relative to. */
  readonly folder: string
  /** What the definition calls the file. */
  readonly address: string
  /** Ends a named pipe. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The tables of a file: of a SQLite file its tables and views, of any other what its format lists, or one.
 * @throws SourceFault if it cannot be read
 */
export async function listTables(path: string, options: ListOptions): Promise<ListedTable[]> {
  const { address, signal } = options
  const open = () => sourceFromFile(path, address, { signal })
  const first = await open()
  // A pipe can be read but once.
  if (first.size === undefined) return [wholeFile(address, () => readRecords(first))]
  const peeked = await peek(unpackedBytes(first), SQLITE.length)
  await peeked.rest.return?.()
  if (peeked.head.toString('latin1').startsWith(SQLITE)) return listDatabase('sqlite', options)
  const read = (how: ReadOptions) =>
    async function* (encoding?: string) {
      yield* readRecords(await open(), { ...how, encoding })
    }
  const { format, input, close } = await openInput(await open(), {})
  const tables = (await format.tables?.(input)) ?? []
  await close()
  if (tables.length === 0) return [wholeFile(address, read({}))]
  return tables.map(({ name, source, columns = [] }) => ({
    ...wholeFile(address, read(source)),
    name,
    source: { file: address, ...source },
    columns,
  }))
}

/** What every SQLite file begins with. */
const SQLITE = 'SQLite format 3'

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
    columns,
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

function wholeFile(address: string, records: ListedTable['records']): ListedTable {
  const nothing = { columns: [], key: [], references: [] }
  return { name: baseName(address), source: { file: address }, ...nothing, records }
}
