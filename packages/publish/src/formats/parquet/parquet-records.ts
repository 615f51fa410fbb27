import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { JsonValue } from '@worldwright/client/protocol'
import { parseJson, type ReadRecord } from '@worldwright/entities'
import {
  type Compressors,
  type ParquetParsers,
  parquetMetadata,
  parquetReadObjects,
  type SchemaElement,
} from 'hyparquet'
import { wholeOf } from '../../bytes/bytes.ts'
import { SourceFault } from '../../bytes/source-fault.ts'
import type { FormatInput, FormatOptions } from '../contract/format.ts'
import { checkColumns } from '../table/columns.ts'

/** Maximum file size in bytes. The compressed file is held in memory. */
const MAX_BYTES = 512 * 1024 * 1024

/**
 * Yields the rows as records, one row group at a time. Decimals and numbers that neither doubles nor JSON can represent
 * become text. Bytes become base64, timestamps become RFC 3339 text, and null values are omitted.
 * @throws SourceFault if the file is damaged or uses an unsupported compression
 */
export async function* parquetRecords(
  input: FormatInput,
  { columns }: FormatOptions,
): AsyncGenerator<ReadRecord> {
  const { name } = input
  const bytes = await wholeOf(input, MAX_BYTES)
  try {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    const metadata = parquetMetadata(file)
    const converters = convertersOf(metadata.schema)
    checkColumns([...converters.keys()], name, name, columns)
    let line = 0
    let rowStart = 0
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows)
      const how = {
        file,
        metadata,
        rowStart,
        rowEnd,
        compressors: COMPRESSORS,
        parsers: PARSERS,
        utf8: false,
      }
      for (const row of await parquetReadObjects(how))
        yield { line: ++line, record: recordOf(row, converters) }
      rowStart = rowEnd
    }
  } catch (cause) {
    if (cause instanceof SourceFault) throw cause
    throw new SourceFault(`${name}: the Parquet file cannot be read: ${(cause as Error).message}.`, { cause })
  }
}

type Converter = (value: unknown) => JsonValue | undefined

function recordOf(
  row: Readonly<Record<string, unknown>>,
  converters: ReadonlyMap<string, Converter>,
): JsonValue {
  const members: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(row)) {
    const converted =
      value === null || value === undefined ? undefined : (converters.get(name) ?? plain)(value)
    if (converted !== undefined) members.push([name, converted])
  }
  return Object.fromEntries(members)
}

/** Returns a JSON converter per top-level column. Modifies the schema so that decimals are read raw. */
function convertersOf(schema: readonly SchemaElement[]): Map<string, Converter> {
  const converters = new Map<string, Converter>()
  let at = 1
  const skip = (): void => {
    const { num_children = 0 } = schema[at++] ?? {}
    for (let child = 0; child < num_children; child++) skip()
  }
  for (let column = 0; column < (schema[0]?.num_children ?? 0); column++) {
    const element = schema[at]
    skip()
    if (element) converters.set(element.name, converterOf(element))
  }
  return converters
}

function converterOf(element: SchemaElement): Converter {
  const { converted_type, logical_type, scale = 0 } = element
  if (converted_type === 'DECIMAL' && element.num_children === undefined) {
    // The library would convert decimals to doubles.
    delete element.converted_type
    delete element.logical_type
    return (value) => decimalText(value, scale)
  }
  const isLocal = logical_type?.type === 'TIMESTAMP' && !logical_type.isAdjustedToUTC
  const isTime =
    logical_type?.type === 'TIMESTAMP' || element.type === 'INT96' || /^TIMESTAMP/.test(converted_type ?? '')
  return isTime && !isLocal ? (value) => `${value}Z` : plain
}

function plain(value: unknown): JsonValue | undefined {
  switch (typeof value) {
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'string':
    case 'boolean':
      return value
    default:
      break
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map((one) => plain(one) ?? null)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member) ?? null]))
}

/** Formats a decimal with all its digits. `value` is the unscaled integer, or its big-endian bytes. */
function decimalText(value: unknown, scale: number): string {
  const whole =
    value instanceof Uint8Array
      ? BigInt.asIntN(8 * value.length, BigInt(`0x${Buffer.from(value).toString('hex') || '0'}`))
      : BigInt(value as number | bigint)
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0')
  const sign = whole < 0n ? '-' : ''
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Decompressors, each limited to the size declared by the page. */
const COMPRESSORS: Compressors = {
  GZIP: (packed, maxOutputLength) => gunzipSync(packed, { maxOutputLength }),
  BROTLI: (packed, maxOutputLength) => brotliDecompressSync(packed, { maxOutputLength }),
  ZSTD: (packed, maxOutputLength) => zstdDecompressSync(packed, { maxOutputLength }),
}

const decoder = new TextDecoder('utf-8', { fatal: true })

const PARSERS: ParquetParsers = {
  timestampFromMilliseconds: (millis) => timeText(BigInt(millis), 3),
  timestampFromMicroseconds: (micros) => timeText(BigInt(micros), 6),
  timestampFromNanoseconds: (nanos) => timeText(BigInt(nanos), 9),
  dateFromDays: (days) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  stringFromBytes: (bytes) => bytes && decoder.decode(bytes),
  jsonFromBytes: (bytes) => bytes && jsonOf(decoder.decode(bytes)),
  geometryFromBytes: (bytes) => bytes,
  geographyFromBytes: (bytes) => bytes,
  uuidFromBytes: (bytes) =>
    bytes &&
    Buffer.from(bytes)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
}

function jsonOf(text: string): JsonValue {
  const parsed = parseJson(text)
  return 'value' in parsed ? parsed.value : text
}

/** Formats a timestamp with as many decimals as it needs. */
function timeText(units: bigint, decimals: number): string {
  const perSecond = 10n ** BigInt(decimals)
  const fraction = ((units % perSecond) + perSecond) % perSecond
  const seconds = (units - fraction) / perSecond
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, -5)
  const shown = String(fraction).padStart(decimals, '0').replace(/0+$/, '')
  return shown === '' ? whole : `${whole}.${shown}`
}
