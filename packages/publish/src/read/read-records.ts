/** Records out of any format, in order, each with the line it began on, or with what is wrong there. */

import { lineRecords, MAX_LINE_BYTES, type ReadRecord } from '@worldwright/server/entities'
import { allOf, joined, type Peeked, peek } from './bytes.ts'
import { type TableOptions, tableRecords } from './csv.ts'
import { asUtf8, encodingOfMark } from './encoding.ts'
import { fileKind, refuseOtherText } from './file-kinds.ts'
import { formatFromName, formatFromText, isDocument, type SourceFormat } from './formats.ts'
import { recordOfJson } from './geojson.ts'
import { documentRecords } from './json-document.ts'
import { markdownRecords } from './markdown.ts'
import { type RecordSource, SourceFault, unpackedBytes } from './record-source.ts'
import { yamlRecords } from './yaml-records.ts'

/** How the records of a source are read. */
export interface ReadOptions extends TableOptions {
  /** Called with how many bytes were taken from the source, before unpacking. */
  readonly onBytes?: ((count: number) => void) | undefined
  /** Absent: what the source's name says, else what its text looks like. */
  readonly format?: SourceFormat | undefined
  /** The encoding of its text; absent: UTF-8, or what a byte order mark says. */
  readonly encoding?: string | undefined
  /** Of a workbook: the name of the sheet. Absent: the only one that holds anything. */
  readonly sheet?: string | undefined
  /** Of a JSON document: the path to its records. */
  readonly records?: string | undefined
}

/** What format, delimiter and quote are recognised by: more than one line may have. */
const SAMPLE_BYTES = MAX_LINE_BYTES + 1

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The records of a source. NDJSON gives one for each line that is not blank. JSON gives the elements of an array, or
 * those of an object's `entities` array, the features of GeoJSON, what a path leads to, or the one object there is. A
 * table, in text, a workbook or Parquet, gives its rows, YAML the elements of a list or its documents, a Markdown file
 * itself. What is called JSON, or nothing, is NDJSON or a document: see `isDocument`. One bad line, row or element is a
 * fault, and reading goes on after it.
 * @throws SourceFault where the source itself cannot be read to its end, or is of a kind that cannot be read.
 */
export async function* readRecords(
  source: RecordSource,
  options: ReadOptions = {},
): AsyncGenerator<ReadRecord> {
  const { name } = source
  const packed = await peek(unpackedBytes(source, options.onBytes), SAMPLE_BYTES)
  const kind = fileKind(packed.head, name)
  if (kind === 'zip') {
    const { MAX_WORKBOOK_BYTES } = await import('../xlsx/workbook.ts')
    const bytes = await wholeOf(packed, MAX_WORKBOOK_BYTES, name)
    const { workbookRecords } = await import('./workbook-records.ts')
    return yield* workbookRecords(bytes, name, options)
  }
  if (kind === 'parquet') {
    const { MAX_PARQUET_BYTES, parquetRecords } = await import('./parquet-records.ts')
    return yield* parquetRecords(await wholeOf(packed, MAX_PARQUET_BYTES, name), name, options.columns)
  }
  yield* textRecords(await decoded(packed, name, options), source, options)
}

/** The records of a text, which begins without a byte order mark. No generator: each one more costs every record. */
function textRecords(peeked: Peeked, source: RecordSource, options: ReadOptions): AsyncGenerator<ReadRecord> {
  const { name } = source
  const { head } = peeked
  const bytes = joined(peeked)
  switch (formatOf(head.toString(), name, options)) {
    case 'csv':
      return tableRecords(bytes, head, name, options)
    case 'tsv':
      return tableRecords(bytes, head, name, { ...options, delimiter: options.delimiter ?? '\t' })
    case 'yaml':
      return yamlRecords(bytes, name)
    case 'markdown':
      return markdownRecords(bytes, name, source.id ?? idFromName(name))
    case 'ndjson':
      return lineRecords(bytes, recordOfJson)
    default:
      return documentRecords(bytes, { name, records: options.records })
  }
}

/** The format of a text. @throws SourceFault where it is of a kind that cannot be read */
function formatOf(text: string, name: string, { format, records }: ReadOptions): SourceFormat {
  if (format === 'xlsx' || format === 'parquet') throw otherThan(format, name)
  if (format !== undefined) return format
  if (records !== undefined) return 'json'
  const named = formatFromName(name)
  if (named === 'xlsx' || named === 'parquet') {
    refuseOtherText(text, name)
    throw otherThan(named, name)
  }
  if (named === undefined || named === 'csv' || named === 'tsv' || named === 'jsonish')
    refuseOtherText(text, name)
  const found = named ?? formatFromText(text)
  if (found !== 'jsonish') return found
  if (isDocument(text)) return 'json'
  const start = text.trimStart()
  if (start === '' || /^[[{]/.test(start) || formatFromText(text) === 'ndjson') return 'ndjson'
  const begins = JSON.stringify(start.slice(0, 40).split('\n')[0])
  throw new SourceFault(`${name}: this is not JSON: it begins ${begins}. JSON begins with [ or {.`)
}

function otherThan(format: SourceFormat, name: string): SourceFault {
  const what = format === 'xlsx' ? 'an Excel workbook (.xlsx)' : 'a Parquet file'
  return new SourceFault(
    `${name}: this is called ${what} and is none. Say format: in the definition, or rename it.`,
  )
}

/** The text in UTF-8, without a byte order mark. */
async function decoded(packed: Peeked, name: string, { encoding }: ReadOptions): Promise<Peeked> {
  const marked = encoding ?? encodingOfMark(packed.head)
  if (marked === undefined) return withoutMark(packed)
  return withoutMark(await peek(asUtf8(joined(packed), marked, name), SAMPLE_BYTES))
}

function withoutMark({ head, rest }: Peeked): Peeked {
  return { head: head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? head.subarray(3) : head, rest }
}

async function wholeOf(peeked: Peeked, maxBytes: number, name: string): Promise<Buffer> {
  const bytes = await allOf(joined(peeked), maxBytes)
  if (bytes) return bytes
  throw new SourceFault(
    `${name}: the file is larger than ${maxBytes} bytes. Export it as CSV, which may have any size.`,
  )
}

function idFromName(name: string): string {
  const file = name.replaceAll('\\', '/').split('/').at(-1) ?? name
  return file
    .replace(/\.gz$/i, '')
    .replace(/\.[^.]+$/, '')
    .normalize('NFC')
}
