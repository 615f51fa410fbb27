/** File formats: one object for everything that is specific to a format. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { Snapshot } from '@worldwright/core/store'
import type { ReadRecord } from '@worldwright/entities'
import type { ListedColumn } from '../table/columns.ts'

/** A file format. Its reader and writer are loaded with the first file. */
export interface Format {
  /** Its name in definitions and `--format`. */
  readonly name: string
  /** Name for display. */
  readonly title: string
  /** Endings of file names, in lower case. If formats share one, the text decides. */
  readonly endings: readonly string[]
  /** Not text: bytes are read unchanged, and the option `encoding` is ignored. */
  readonly isBinary?: true
  /** A table: rows under named columns. */
  readonly isTable?: true
  /** Each file is one record, so a folder of them is one source. */
  readonly isRecord?: true
  /** First characters of every file, in words, for the message that refuses a misnamed file. */
  readonly begins?: string
  /**
   * Recognizes a file by its first characters. A binary format needs it: it is called with the bytes of every file. Other
   * formats are called with text, without leading white space, if its ending is unknown or shared.
   */
  sniff?(head: string): boolean
  /** Lists the tables in a file that holds several; empty if the file is a single table. @throws SourceFault */
  tables?(input: FormatInput): Promise<readonly FileTable[]>
  /** Reads the records in order. A bad record yields a fault, and reading continues. @throws SourceFault if it cannot */
  read(
    input: FormatInput,
    options: FormatOptions,
  ): AsyncIterable<ReadRecord> | Promise<AsyncIterable<ReadRecord>>
  readonly writer?: Writer
}

/** One file, unpacked, as a format reads it. */
export interface FormatInput {
  /** The file's name in messages. */
  readonly name: string
  /** Record id of a file that is one record, if its text has none. */
  readonly id: string
  /** First bytes: more than the longest line, or the whole file. */
  readonly head: Buffer
  /** All bytes, readable once. Text has no byte order mark, and is UTF-8 if its encoding is known. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Options in a definition for reading a file. */
export interface FileOptions {
  /** Name of a format; absent: detected by the ending, else by the text. */
  readonly format?: string | undefined
  /** Name in the WHATWG Encoding Standard; absent: by the byte order mark, else UTF-8. */
  readonly encoding?: string | undefined
  /** Of a table in text; absent: detected. */
  readonly delimiter?: string | undefined
  /** As `delimiter`. */
  readonly quote?: string | undefined
  /** Of a workbook: the name of the sheet. Absent: the only one that holds anything. */
  readonly sheet?: string | undefined
  /** Of a document: the path to its records. */
  readonly records?: string | undefined
}

/** Options for reading a file. Each format uses those that it knows. */
export interface FormatOptions extends FileOptions {
  /** Columns that a table must have. */
  readonly columns?: readonly string[] | undefined
}

/** A table in a file. */
export interface FileTable {
  readonly name: string
  /** Members of its source in a definition, besides `file`. */
  readonly source: { readonly sheet?: string; readonly records?: string }
  readonly columns?: readonly ListedColumn[]
}

/** The part of a format that writes files. */
export interface Writer {
  readonly mediaType: string
  /** Information that the format loses, in words; absent if it holds everything. */
  readonly loses?: string
  /** Holds entities of several types. */
  readonly holdsTypes?: true
  /** Reports whether a type with this schema can be written; absent: every type can. */
  canHold?(schema: JsonObject | undefined): boolean
  /** Writes entities piece by piece. May walk the snapshot several times. */
  write(
    snapshot: Snapshot,
    options: WriteOptions,
  ): AsyncIterable<string | Uint8Array> | Promise<AsyncIterable<string | Uint8Array>>
}

/** The entities to write, and options of the format. */
export interface WriteOptions {
  /** Absent: all, if the format holds several types. */
  readonly type?: string | undefined
  /** The JSON Schema of the type's attributes. */
  readonly schema?: JsonObject | undefined
  /** Metadata that the file carries, such as the licence of the data. */
  readonly about?: Readonly<Record<string, string>>
  /** For CSV: leave texts that a spreadsheet would run as formulas unchanged. */
  readonly keepFormulas?: boolean
  /** For CSV: called at the end with the number of texts that were changed, if any. */
  readonly escaped?: (cells: number) => void
}
