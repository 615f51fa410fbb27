/** Reads records in any format, in order. Each result has a line number and either a record or a fault. */
import { MAX_LINE_BYTES, type ReadRecord } from '@worldwright/entities'
import { joined, type Peeked, peek } from '../bytes/bytes.ts'
import { asUtf8, encodingOfMark } from '../bytes/encoding.ts'
import { SourceFault } from '../bytes/source-fault.ts'
import type { Format, FormatInput, FormatOptions } from '../formats/contract/format.ts'
import { unreadOption } from '../formats/contract/unread-option.ts'
import { binaryFormat, textFormat } from './detect-format.ts'
import { baseName } from './file-name.ts'
import { type RecordSource, unpackedBytes } from './record-source.ts'
import { sampled } from './sampled-bytes.ts'

/** Options for reading the records of a source. */
export interface ReadOptions extends FormatOptions {
  /** Called with the number of bytes read from the source, before decompression. */
  readonly onBytes?: ((count: number) => void) | undefined
}

/** Number of bytes sampled to detect formats, delimiters and quotes. It exceeds the longest possible line. */
const SAMPLE_BYTES = MAX_LINE_BYTES + 1

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Yields the records of a source in its format. A bad line, row or element yields a fault, and reading continues after it.
 * @throws SourceFault if the source cannot be read to its end, no format can read it, or its format lacks an option
 */
export async function* readRecords(
  source: RecordSource,
  options: ReadOptions = {},
): AsyncGenerator<ReadRecord> {
  const { format, input, close } = await openInput(source, options)
  const unread = unreadOption(options, [format])
  if (unread !== undefined) {
    await close()
    throw new SourceFault(`${source.name}: ${unread.option} ${unread.message}.`)
  }
  const records = options.isSampled && (await format.wholeRecords?.(input.head, options))
  if (records) yield* sampleOf(format, { ...input, ...sampled(input.bytes, records) }, options)
  else yield* await format.read(input, options)
  for (const note of source.notes ?? []) options.onNote?.(note)
}

/** Yields the records of a sample, with their lines in the whole file. */
async function* sampleOf(
  format: Format,
  input: FormatInput & Omit<ReturnType<typeof sampled>, 'bytes'>,
  options: ReadOptions,
): AsyncGenerator<ReadRecord> {
  const { name, lineOf, sentence } = input
  const onRow: FormatOptions['onRow'] = (row, part) =>
    options.onRow?.({ ...row, number: lineOf(row.number) }, part)
  for await (const read of await format.read(input, { ...options, onRow }))
    yield { ...read, line: lineOf(read.line) }
  options.onNote?.(`${name}: ${sentence()}`)
}

/** A source whose format is known. */
export interface OpenInput {
  readonly format: Format
  readonly input: FormatInput
  /** Closes a source whose bytes are not read. */
  readonly close: () => Promise<unknown>
}

/** Reads the beginning of a source and detects its format. @throws SourceFault if no format can read it */
export async function openInput(source: RecordSource, options: ReadOptions): Promise<OpenInput> {
  const { name, id = baseName(name).normalize('NFC') } = source
  const raw = await peek(unpackedBytes(source, options.onBytes), SAMPLE_BYTES)
  const binary = binaryFormat(raw.head, name)
  const peeked = binary ? raw : await decoded(raw, name, options)
  const { head, rest } = peeked
  const format = binary ?? textFormat(head.toString(), name, options)
  return { format, input: { name, id, head, bytes: joined(peeked) }, close: async () => rest.return?.() }
}

/** Decodes text to UTF-8 and removes a byte order mark. */
async function decoded(packed: Peeked, name: string, { encoding }: ReadOptions): Promise<Peeked> {
  const marked = encoding ?? encodingOfMark(packed.head)
  if (marked === undefined) return withoutMark(packed)
  return withoutMark(await peek(asUtf8(joined(packed), marked, name), SAMPLE_BYTES))
}

function withoutMark({ head, rest }: Peeked): Peeked {
  return { head: head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? head.subarray(3) : head, rest }
}
