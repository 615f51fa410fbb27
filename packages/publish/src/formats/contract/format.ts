/** File formats: what each knows of its files, in one object. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { Snapshot } from '@worldwright/core/store'
import type { ReadRecord } from '@worldwright/entities'
import type { ListedColumn } from '../table/columns.ts'

/** A file format. What it needs to read and write is loaded with the first file. */
export interface Format {
  /** As definitions and `--format` spell it. */
  readonly name: string
  /** As people call it. */
  readonly title: string
  /** Endings of file names, in lower case. Formats may share one: then the text decides. */
  readonly endings: readonly string[]
  /** Not text: read as it is, whatever encoding was asked for. */
  readonly isBinary?: true
  /** Rows under the names of columns. */
  readonly isTable?: true
  /** A file is one record, so that a folder of them is one source. */
  readonly isRecord?: true
  /** First characters of every file, in words, for the refusal of files that are only called so. */
  readonly begins?: string
  /**
   * Recognizes a file by its first characters. A binary format needs it: it is asked about the bytes of every file. Text is
   * asked about if its ending is unknown or shared, without the white space before it.
   */
  sniff?(head: string): boolean
  /** Lists the tables in a file that holds several; none if it is one by itself. @throws SourceFault */
  tables?(input: FormatInput): Promise<readonly FileTable[]>
  /** Reads the records, in order. A bad one is a fault, and reading goes on. @throws SourceFault if that is impossible */
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
  /** Id of a file that is one record and does not say it. */
  readonly id: string
  /** First bytes: more than one line may have, or all there are. */
  readonly head: Buffer
  /** All bytes, to be read once; of text without a byte order mark, and in UTF-8 if its encoding is known. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** What a definition says of a file, so that it is read. */
export interface FileOptions {
  /** The name of a format; absent: what the ending says, else what its text looks like. */
  readonly format?: string | undefined
  /** As the WHATWG Encoding Standard names it; absent: UTF-8, or what a byte order mark says. */
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

/** Options of reading. Each format takes those that it knows. */
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

/** The writing of a format. */
export interface Writer {
  readonly mediaType: string
  /** What it cannot hold, in words; absent if it holds everything. */
  readonly loses?: string
  /** Holds entities of several types. */
  readonly holdsTypes?: true
  /** Tells if a type of this schema can be written; absent: each can. */
  canHold?(schema: JsonObject | undefined): boolean
  /** Writes entities piece by piece. It may walk the snapshot several times. */
  write(
    snapshot: Snapshot,
    options: WriteOptions,
  ): AsyncIterable<string | Uint8Array> | Promise<AsyncIterable<string | Uint8Array>>
}

/** Which entities are written, and how. */
export interface WriteOptions {
  /** Absent: all, if the format holds several types. */
  readonly type?: string | undefined
  /** The JSON Schema of the type's attributes. */
  readonly schema?: JsonObject | undefined
  /** Words about the data that a file carries along, such as their licence. */
  readonly about?: Readonly<Record<string, string>>
  /** Of CSV: texts that a spreadsheet would run stay as they are. */
  readonly keepFormulas?: boolean
  /** Of CSV: called at the end with the number of texts that were changed, if any were. */
  readonly escaped?: (cells: number) => void
}
