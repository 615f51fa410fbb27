/** Finds the tables of files and folders for which a first definition is proposed. */
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { SourceFault } from '../bytes/source-fault.ts'
import {
  databaseName,
  type InEnvironment,
  isServer,
  serverKind,
  serverUrl,
} from '../databases/server-address.ts'
import { formatsOfFile } from '../formats/formats.ts'
import type { ListedColumn } from '../formats/table/columns.ts'
import { baseName } from '../input/file-name.ts'
import { type ReadOptions, readRecords } from '../input/read-records.ts'
import { isDataFile, SCHEMA_NAME, sourcesFromPath } from '../input/record-source.ts'
import { type ListedTable, listDatabase, listTables } from '../tables/list-tables.ts'

/** A table for which a source is proposed. */
export interface ScaffoldTable extends ListedTable {
  /** Name of the table's file or folder, without the file extension. */
  readonly file: string
  /** Set if it is the only table in its file. */
  readonly isOnly: boolean
  /** Set if it can be read more than once, unlike a pipe. */
  readonly isReadAgain: boolean
}

/** Files and folders to search for tables. */
export interface TablesWanted extends InEnvironment {
  /** Absolute paths of the files and folders, and addresses of database servers. */
  readonly paths: readonly string[]
  /** Absolute path of the future definition's folder. */
  readonly folder: string
  /** Names of the tables to take. Default: all. */
  readonly only?: readonly string[] | undefined
  /** Signal that ends named pipes, and the reading of databases. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Lists the tables of files in order, and of the files in folders by name. A folder of one-record files, such as Markdown,
 * is one table. @throws SourceFault if a path cannot be read, a folder contains no readable file, or a table is missing
 */
export async function scaffoldTables(wanted: TablesWanted): Promise<ScaffoldTable[]> {
  const found: ScaffoldTable[] = []
  for (const path of wanted.paths) {
    if (isServer(path)) {
      found.push(...(await tablesOfServer(path, wanted)))
      continue
    }
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true
    found.push(...(await (isFolder ? tablesOfFolder(path, wanted) : tablesOfFile(path, wanted))))
  }
  const { only = found.map(({ name }) => name) } = wanted
  const missing = only.filter((name) => found.every((table) => table.name !== name))
  if (missing.length === 0) return found.filter(({ name }) => only.includes(name))
  const none = missing.length === 1 ? 'There is no table' : 'There are no tables'
  const names = found.map(({ name }) => name).join(', ')
  throw new SourceFault(`${none} ${missing.join(', ')}. The tables are ${names}.`)
}

async function tablesOfServer(
  address: string,
  { folder, environment, signal }: TablesWanted,
): Promise<ScaffoldTable[]> {
  const url = serverUrl(address, environment)
  const kind = serverKind(url)
  if (kind === undefined)
    throw new SourceFault(`${address}: this is no URL such as postgres://user@host/database or mysql://….`)
  const tables = await listDatabase(kind, { folder, address, environment, signal })
  if (tables.length === 0)
    throw new SourceFault(`${address}: there are no tables. Check the database and the rights of the user.`)
  return tables.map((table) => ({ ...table, file: databaseName(url), isOnly: false, isReadAgain: true }))
}

async function tablesOfFile(path: string, { folder, signal }: TablesWanted): Promise<ScaffoldTable[]> {
  const address = addressOf(path, folder)
  const tables = await listTables(path, { folder, address, signal })
  const isReadAgain = (await stat(path)).isFile()
  return tables.map((table) => ({
    ...table,
    file: baseName(path),
    isOnly: tables.length === 1,
    isReadAgain,
  }))
}

/** Files that are found beside data but are not data. */
const NO_DATA = /^(?:package(?:-lock)?\.json|[jt]sconfig.*\.json|readme\.md|world\.db|\..*)$/i
const DATABASE = /\.(?:db|sqlite3?)$/i

/** Reports whether a file's name is that of data: a known format or a SQLite file, and no file found beside data. */
export function isInputName(name: string): boolean {
  return !NO_DATA.test(name) && name !== SCHEMA_NAME && (isDataFile(name) || DATABASE.test(name))
}

async function tablesOfFolder(path: string, wanted: TablesWanted): Promise<ScaffoldTable[]> {
  const names = (await readdir(path, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && isInputName(entry.name))
    .map(({ name }) => name)
    .toSorted()
  const address = addressOf(path, wanted.folder)
  if (names.length === 0) throw new SourceFault(`${address}: the folder holds no file of a known format.`)
  if (names.every((name) => formatsOfFile(name)[0]?.isRecord))
    return [folderOfRecords(path, address, formatsOfFile(names[0] ?? '')[0]?.columns)]
  const tables: ScaffoldTable[] = []
  for (const name of names) tables.push(...(await tablesOfFile(join(path, name), wanted)))
  return tables
}

function folderOfRecords(
  path: string,
  address: string,
  columns: readonly ListedColumn[] = [],
): ScaffoldTable {
  const records = async function* (how?: ReadOptions) {
    for (const source of await sourcesFromPath(path, address)) yield* readRecords(source, how)
  }
  const name = baseName(path)
  const nothing = { columns, key: [], references: [] }
  const whole = { name, file: name, isOnly: true, isReadAgain: true }
  return { ...whole, ...nothing, source: { file: address }, records }
}

function addressOf(path: string, folder: string): string {
  return relative(folder, path).replaceAll('\\', '/') || '.'
}
