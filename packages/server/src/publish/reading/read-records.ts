/** Records out of any format, in order, each with the line it began on, or with what is wrong there. */
import { type TableOptions, tableRecords } from './csv.ts'
import { formatFromName, formatFromText, type SourceFormat } from './formats.ts'
import { documentRecords } from './json-document.ts'
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

const NEWLINE = 0x0a
/** What delimiter and quote of a table are recognised by. */
const SAMPLE_BYTES = 64 * 1024
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The records of a source. NDJSON gives one for each line that is not blank. JSON gives the elements of an array, or
 * those of an object's `entities` array, or the one object there is. Which of both it is shows in the text, not in the
 * name: NDJSON where the first line is one of several and closes what it opened. A table gives its rows, YAML the
 * elements of a list or its documents, a Markdown file itself.
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
    const format = options.format ?? formatFromName(source.name) ?? formatFromText(start.toString('utf8'))
    const head = format === 'csv' ? await atLeast(SAMPLE_BYTES, start, chunks) : start
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
  while (head.length <= MAX_LINE_BYTES && !firstLineOf(head).followed) {
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

function isDocument(head: Buffer): boolean {
  const { text, followed } = firstLineOf(head)
  if (text.startsWith('[')) return true
  // A line that closes what it opened is a record, faulty or not; the first line of a document leaves it open.
  return text.startsWith('{') && !(followed && text.endsWith('}'))
}

/** The first line that is not blank, and whether anything but white space comes after it. */
function firstLineOf(head: Buffer): { text: string; followed: boolean } {
  const start = skipBlank(head, head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0)
  const end = head.indexOf(NEWLINE, start)
  if (end < 0) return { text: head.toString('utf8', start, start + 1), followed: false }
  return { text: head.toString('utf8', start, end).trimEnd(), followed: skipBlank(head, end) < head.length }
}

function skipBlank(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && ' \t\r\n'.includes(String.fromCharCode(bytes[at] ?? 0))) at++
  return at
}
