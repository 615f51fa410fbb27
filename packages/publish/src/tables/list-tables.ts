/** Lists the tables in a file without reading it completely. Each table can be a source in a definition. */

import type { ReadRecord } from '@worldwright/entities'
import { peek } from '../bytes/bytes.ts'
import type { DatabaseKind, DatabaseTable } from '../databases/database.ts'
import { type DatabaseAddress, DatabaseSession } from '../databases/database-source.ts'
import type { InEnvironment } from '../databases/server-address.ts'
import type { ListedColumn } from '../formats/table/columns.ts'
import { baseName } from '../input/file-name.ts'
import { openInput, type ReadOptions, readRecords } from '../input/read-records.ts'
import { sourceFromFile, unpackedBytes } from '../input/record-source.ts'
import { isLarge } from '../input/sampled-bytes.ts'

/** A column that refers to rows of another table in the same file. */
export interface ListedReference {
  readonly column: string
  /** Name of the other table, as in `ListedTable.name`. */
  readonly table: string
  /** Column of the other table. */
  readonly to: string
}

/** A table of a database, a sheet of a workbook, a list of records in a document, or a whole file. */
export interface ListedTable extends Omit<DatabaseTable, 'references'> {
  /** Members of a definition's source that select the table. */
  readonly source: Readonly<Record<string, unknown>>
  /** Declared columns. If empty, the columns must be inferred from the records. */
  readonly columns: readonly ListedColumn[]
  readonly references: readonly ListedReference[]
  /** Set if the file is so large that `records` yields a sample. */
  readonly isSampled?: boolean | undefined
  /** Sentences on what the table declares and no source can hold. */
  readonly notes?: readonly string[]
  /** Reads the records from the beginning. Closes all open resources when reading ends. */
  readonly records: (how?: ReadOptions) => AsyncGenerator<ReadRecord>
}

/** Options for listing the tables of a file. */
export interface ListOptions extends InEnvironment {
  /** Absolute path of the folder to which file addresses are relative. */
  readonly folder: string
  /** File name in the definition. */
  readonly address: string
  /** Signal that ends a named pipe, and the reading of a database. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Lists the tables of a file: the tables and views of a SQLite file, those that another format lists, or the whole file.
 * @throws SourceFault if the file cannot be read
 */
export async function listTables(path: string, options: ListOptions): Promise<ListedTable[]> {
  const { address, signal } = options
  const open = () => sourceFromFile(path, address, { signal })
  const first = await open()
  // A pipe can be read only once.
  if (first.size === undefined) return [wholeFile(address, (how) => readRecords(first, how))]
  const peeked = await peek(unpackedBytes(first), SQLITE.length)
  await peeked.rest.return?.()
  if (peeked.head.toString('latin1').startsWith(SQLITE)) return listDatabase('sqlite', options)
  const { format, input, close } = await openInput(await open(), {})
  const tables = (await format.tables?.(input)) ?? []
  await close()
  const isSampled = format.wholeRecords !== undefined && isLarge(path, first.size)
  const read = (how: ReadOptions) =>
    async function* (more?: ReadOptions) {
      yield* readRecords(await open(), { ...how, isSampled, ...more })
    }
  if (tables.length === 0) {
    const { columns = [] } = format
    return [{ ...wholeFile(address, read({})), columns, ...(isSampled && { isSampled }) }]
  }
  return tables.map(({ name, source, columns = [] }) => ({
    ...wholeFile(address, read(source)),
    name,
    source: { file: address, ...source },
    columns,
  }))
}

/** Signature at the start of a SQLite file. */
const SQLITE = 'SQLite format 3'

/** Lists the tables and views of a database. @throws SourceFault if it cannot be read */
export async function listDatabase(
  kind: DatabaseKind,
  { signal, ...where }: ListOptions,
): Promise<ListedTable[]> {
  const at = { kind, ...where }
  const session = new DatabaseSession(at)
  try {
    const tables = await session.tables()
    return tables.map((table) => ofDatabase(table, at, signal))
  } finally {
    await session.close()
  }
}

function ofDatabase(
  { references, ...table }: DatabaseTable,
  at: DatabaseAddress,
  signal: AbortSignal | undefined,
): ListedTable {
  const { name } = table
  const joined = references.filter(({ columns }) => columns.length > 1)
  return {
    ...table,
    source: { [at.kind]: at.address, table: name },
    notes: joined.map(
      ({ columns, table: other }) =>
        `${columns.join(' and ')} refer to ${other} together, which no reference can: they stay attributes.`,
    ),
    references: references.flatMap(({ columns: [column, ...more], table: other, to: [to] }) =>
      column === undefined || to === undefined || more.length > 0 ? [] : [{ column, table: other, to }],
    ),
    async *records(how) {
      const session = new DatabaseSession(at)
      const source = session.source({
        wanted: { table: name },
        columns: [],
        hasId: true,
        hasReferences: true,
      })
      try {
        for await (const read of readRecords(source, { ...how, format: 'ndjson' })) {
          signal?.throwIfAborted()
          yield read
        }
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
