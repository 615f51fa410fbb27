/** Records out of any format, in order, each with the line it began on, or with what is wrong there. */
import { type TableOptions, tableRecords } from './csv.ts'
import { formatFromName, formatFromText, type SourceFormat } from './formats.ts'
import { documentRecords } from './json-document.ts'
import { beginsWithRecord, hasSecondLine, isDocument } from './json-kind.ts'
import { lineRecords, MAX_LINE_BYTES } from './json-lines.ts'
import type { ReadRecord } from './json-text.ts'
import { markdownRecords } from './markdown.ts'
import { type RecordSource, unpackedBytes } from './record-source.ts'
import { yamlRecords } from './yaml-records.ts'

/** How a source is read. */
export interface ReadOptions extends TableOptions {
  /** Hears of bytes as they are taken from the source, before unpacking. */
  readonly onBytes?: ((count: number) => void) | undefined
  /** Absent: what the source's name says, else what its text looks like. */
  readonly format?: SourceFormat | undefined
}

/** What the format is recognised by where its first line does not say, and delimiter and quote of a table. */
const SAMPLE_BYTES = 64 * 1024
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The records of a source. NDJSON gives one for each line that is not blank. JSON gives the elements of an array, or
 * those of an object's `entities` array, or the one object there is. A name ending in `.ndjson` or `.jsonl` decides;
 * otherwise the text does: it is NDJSON where its first line is one of several and closes what it opened, or where a
 * line begins an object and a document has no place for one. A table gives its rows, YAML the elements of a list or its
 * documents, a Markdown file itself.
 * One bad line, row or element is a fault, and reading goes on after it.
 * @throws SourceFault where the source itself cannot be read to its end.
 */
export async function* readRecords(
  source: RecordSource,
  options: ReadOptions = {},
): AsyncGenerator<ReadRecord> {
  const chunks = unpackedBytes(source, options.onBytes)
  try {
    const start = withoutMark(await headOf(chunks))
    const named = options.format ?? formatFromName(source.name)
    const isClear = named === undefined || named === 'jsonish' ? beginsWithRecord(start) : named !== 'csv'
    const head = isClear ? start : await atLeast(SAMPLE_BYTES, start, chunks)
    const format = named ?? formatFromText(head.toString('utf8'))
    const rest = prepended(head, chunks)
    if (format === 'csv') yield* tableRecords(rest, head, source.name, options)
    else if (format === 'tsv')
      yield* tableRecords(rest, head, source.name, { ...options, delimiter: options.delimiter ?? '\t' })
    else if (format === 'yaml') yield* yamlRecords(rest, source.name)
    else if (format === 'markdown')
      yield* markdownRecords(rest, source.name, source.id ?? idFromName(source.name))
    else if (format === 'ndjson') yield* lineRecords(rest)
    else if (format === 'json') yield* documentRecords(rest)
    else yield* isDocument(head) ? documentRecords(rest) : lineRecords(rest)
  } finally {
    await chunks.return(undefined)
  }
}

function idFromName(name: string): string {
  const file = name.replaceAll('\\', '/').split('/').at(-1) ?? name
  return file
    .replace(/\.gz$/i, '')
    .replace(/\.[^.]+$/, '')
    .normalize('NFC')
}

/** As many bytes as show whether the text has a second line; all of a shorter one. */
async function headOf(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0)
  while (head.length <= MAX_LINE_BYTES && !hasSecondLine(head)) {
    const next = await chunks.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  return head
}

async function atLeast(bytes: number, start: Buffer, chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let head = start
  while (head.length < bytes) {
    const next = await chunks.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  return head
}

function withoutMark(head: Buffer): Buffer {
  return head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? head.subarray(3) : head
}

async function* prepended(head: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
}
