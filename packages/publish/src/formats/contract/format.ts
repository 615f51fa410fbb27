/** Contract of file formats. One object contains everything that is specific to a format. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { Snapshot } from '@worldwright/core/store'
import type { ReadRecord, RecordFault } from '@worldwright/entities'
import type { DownloadFormat } from '@worldwright/extensions/downloads'
import type { ListedColumn } from '../table/columns.ts'

/** A file format. Its reader and writer are loaded when the first file is read or written. */
export interface Format {
  /** Format name in definitions and in `--format`. */
  readonly name: string
  /** Name for display. */
  readonly title: string
  /** File extensions, in lower case without the dot. If several formats share an extension, the file's content decides. */
  readonly endings: readonly string[]
  /** Set for a binary format, whose bytes are read unchanged. The option `encoding` is then ignored. */
  readonly isBinary?: true
  /** Set for a table format, with rows under named columns. */
  readonly isTable?: true
  /** Options of `FileOptions` that it reads, besides `format` and `encoding`. All others are refused. */
  readonly options?: readonly (keyof FileOptions)[]
  /** Set if each file is one record, so that a folder of files is one source. */
  readonly isRecord?: true
  /** Columns of every file that need more than inference. */
  readonly columns?: readonly ListedColumn[]
  /** Description of how every such file begins, used in the message that refuses a misnamed file. */
  readonly begins?: string
  /**
   * Recognizes a file by its first characters. Required for a binary format, which receives the first bytes of every file as
   * Latin-1. Other formats receive text without leading white space if the file extension is unknown or shared.
   */
  sniff?(head: string): boolean
  /** Lists the tables in a file, or returns an empty array if the file is a single table. @throws SourceFault */
  tables?(input: FormatInput): Promise<readonly FileTable[]>
  /** Yields the records in order, with a fault for each bad one. @throws SourceFault if reading cannot continue */
  read(
    input: FormatInput,
    options: FormatOptions,
  ): AsyncIterable<ReadRecord> | Promise<AsyncIterable<ReadRecord>>
  /** Returns a function that finds the whole records in pieces of a file, so that a sample of it can be read. */
  wholeRecords?(head: Buffer, options: FormatOptions): WholeRecords | Promise<WholeRecords>
  readonly writer?: Writer
}

/**
 * Returns where the first whole record of a piece begins and the last one ends, or undefined if that is uncertain. The first
 * piece is the beginning of the file; others begin anywhere.
 */
export type WholeRecords = (piece: Buffer) => readonly [start: number, end: number] | undefined

/** One decompressed file, as passed to a format. */
export interface FormatInput {
  /** File name for messages. */
  readonly name: string
  /** Id of the record if the file is a single record whose text has no id. */
  readonly id: string
  /** First bytes: more than the longest possible line, or the whole file. */
  readonly head: Buffer
  /** All bytes, readable only once. Text has no byte order mark and, if its encoding is known, is UTF-8. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Options in a definition for reading a file. */
export interface FileOptions {
  /** Format name. If absent, it is detected by the file extension or else by the content. */
  readonly format?: string | undefined
  /** Encoding name from the WHATWG Encoding Standard. Defaults to that of the byte order mark, or else UTF-8. */
  readonly encoding?: string | undefined
  /** Delimiter of a text table. If absent, it is detected. */
  readonly delimiter?: string | undefined
  /** Quote character of a text table. If absent, it is detected. */
  readonly quote?: string | undefined
  /** Sheet name in a workbook. If absent, the only nonempty sheet is used. */
  readonly sheet?: string | undefined
  /** Takes hidden rows, columns and sheets of a workbook, which are left out by default. */
  readonly hidden?: 'include' | undefined
  /** Path to the records in a document. */
  readonly records?: string | undefined
  /** Row of a table's header, or both rows of a header over two. Rows have the numbers that reports name, from 1. */
  readonly header?: number | readonly [upper: number, lower: number] | undefined
  /** Number of rows to leave out above the header of a table, which is the first filled row below. */
  readonly skip?: number | undefined
  /** First filled cell of the row that ends a table, or empty text for the first empty row below a record. */
  readonly until?: string | undefined
  /** Value of each column by which a row of a table is left out. */
  readonly except?: Readonly<Record<string, string>> | undefined
}

/** A row of a table's file, with no texts if it cannot be read. */
export interface FileRow {
  readonly number: number
  readonly texts: readonly string[]
  readonly fault?: RecordFault
  /** Set if the row before it is empty. */
  readonly isAfterGap: boolean
}

/** Cells of a sheet that are merged in one row. */
export type MergedCells = readonly [row: number, left: number, right: number]

/** Options for reading a file. */
export interface FormatOptions extends FileOptions {
  /** Columns that a table must have. */
  readonly columns?: readonly string[] | undefined
  /** Called at the end with sentences on what the file holds and the reader leaves out, without their full stops. */
  readonly onNote?: ((note: string) => void) | undefined
  /** Called with each row of a table, and the part of the table that it is. */
  readonly onRow?: ((row: FileRow, part: 'header' | 'record' | 'out') => void) | undefined
  /** Set to read only a sample of a large file, if the format can. */
  readonly isSampled?: boolean | undefined
  readonly onMerged?: ((cells: readonly MergedCells[]) => void) | undefined
}

/** A table in a file. */
export interface FileTable {
  readonly name: string
  /** Members, besides `file`, that select the table in a definition's source. */
  readonly source: { readonly sheet?: string; readonly records?: string }
  readonly columns?: readonly ListedColumn[]
}

/** The part of a format that writes files. */
export interface Writer extends Omit<DownloadFormat, 'name' | 'title'> {
  /** Writes entities as a stream of pieces. May iterate over the snapshot several times. */
  write(
    snapshot: Snapshot,
    options: WriteOptions,
  ): AsyncIterable<string | Uint8Array> | Promise<AsyncIterable<string | Uint8Array>>
  /** Returns rows under named columns, such as the groups of a query. Absent if the format holds only entities. */
  table?(columns: readonly string[], rows: readonly (readonly JsonValue[])[]): Promise<string>
}

/** Entities to write, and format options. */
export interface WriteOptions {
  /** Type to write. If absent, all types are written, which requires `holdsTypes`. */
  readonly type?: string | undefined
  /** JSON Schema of the type's attributes. */
  readonly schema?: JsonObject | undefined
  /** Number of entities of the type, if it is known before they are read. */
  readonly count?: number | undefined
  /** Metadata to write into the file, such as the licence of the data. */
  readonly about?: Readonly<Record<string, string>>
  /** If the writer `hasTitles`: adds the titles of referenced entities. */
  readonly titles?: boolean
  /** CSV only: leaves text unescaped even if a spreadsheet would evaluate it as a formula. */
  readonly keepFormulas?: boolean
  /** CSV only: called at the end with the number of escaped cells, unless it is 0. */
  readonly escaped?: (cells: number) => void
  /** CSV and GeoJSON only: parser of entities with numbers that `JSON.parse` would change. Default: `JSON.parse`. */
  readonly parse?: ((json: string) => unknown) | undefined
}
