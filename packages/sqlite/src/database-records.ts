/** Reads the records of an SQLite file page by page, without following links between pages, which may be damaged. */
import type { DatabasePages } from './database-pages.ts'

/** Value in a record. Undefined if its type is one that our tables do not use, such as a blob. */
export type RecordValue = string | number | null | undefined

/** Records found on one page. */
export interface PageRecords {
  /** Readable records. The page belongs to an index or to a table without row ids. */
  readonly records: readonly (readonly RecordValue[])[]
  /** Number of unreadable records on the page. */
  readonly unreadable: number
}

const INTERIOR = 2
const LEAF = 10
const text = new TextDecoder('utf-8', { fatal: true })

/** Returns the records of a page, or undefined if the page cannot belong to an index or a table without row ids. */
export function recordsOf(pages: DatabasePages, number: number): PageRecords | undefined {
  const page = pages.page(number)
  // Page 1 begins with the file header.
  const start = number === 1 ? 100 : 0
  const kind = page[start]
  if (kind !== INTERIOR && kind !== LEAF) return undefined
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  const pointers = start + (kind === LEAF ? 8 : 12)
  const count = start + 5 <= page.length ? view.getUint16(start + 3) : 0
  const records: RecordValue[][] = []
  let unreadable = 0
  for (let index = 0; index < count; index++) {
    const pointer = pointers + 2 * index
    if (pointer + 2 > page.length) {
      unreadable += count - index
      break
    }
    try {
      const cell = view.getUint16(pointer) + (kind === LEAF ? 0 : 4)
      records.push(recordFrom(payloadAt(pages, page, cell)))
    } catch {
      unreadable += 1
    }
  }
  return { records, unreadable }
}

/** Returns a record's payload, including overflow pages. @throws RangeError if its length or a page number is invalid */
function payloadAt(pages: DatabasePages, page: Uint8Array, cell: number): Uint8Array {
  const [length, start] = varintAt(page, cell)
  // SQLite splits long records in the same way (https://sqlite.org/fileformat.html#b_tree_pages).
  const usable = pages.pageBytes
  const most = Math.floor(((usable - 12) * 64) / 255) - 23
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  if (length <= most) return slice(page, start, length)
  if (length > pages.count * usable) throw new RangeError('longer than the file')
  const rest = least + ((length - least) % (usable - 4))
  const here = rest <= most ? rest : least
  const payload = new Uint8Array(length)
  payload.set(slice(page, start, here))
  let next = u32(page, start + here)
  for (let at = here; at < length; ) {
    if (next === 0 || next > pages.count) throw new RangeError('an overflow page that is not there')
    const overflow = pages.page(next)
    const part = slice(overflow, 4, Math.min(usable - 4, length - at))
    payload.set(part, at)
    at += part.length
    next = u32(overflow, 0)
  }
  return payload
}

/** Decodes the values of a record (https://sqlite.org/fileformat.html#record_format). @throws RangeError, TypeError */
function recordFrom(payload: Uint8Array): RecordValue[] {
  const [headerEnd, first] = varintAt(payload, 0)
  if (headerEnd > payload.length) throw new RangeError('a header longer than its record')
  const values: RecordValue[] = []
  let body = headerEnd
  for (let at = first; at < headerEnd; ) {
    const [kind, next] = varintAt(payload, at)
    const length = kind >= 12 ? Math.floor((kind - 12) / 2) : (INTEGER_BYTES[kind] ?? 0)
    values.push(valueFrom(kind, slice(payload, body, length)))
    body += length
    at = next
  }
  if (body !== payload.length) throw new RangeError('a record of another length')
  return values
}

/** Integer lengths, in bytes, by serial type. */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

function valueFrom(kind: number, bytes: Uint8Array): RecordValue {
  if (kind === 0) return null
  if (kind === 8 || kind === 9) return kind - 8
  if (kind <= 6) {
    let value = bytes.length > 0 && (bytes[0] as number) >= 0x80 ? -1n : 0n
    for (const byte of bytes) value = (value << 8n) | BigInt(byte)
    return Number(value)
  }
  if (kind >= 13 && kind % 2 === 1) return text.decode(bytes)
  return undefined
}

function varintAt(bytes: Uint8Array, from: number): [value: number, next: number] {
  let value = 0
  for (let at = from; at < from + 9; at++) {
    const byte = bytes[at]
    if (byte === undefined) throw new RangeError('past the end')
    if (at === from + 8) return [value * 256 + byte, at + 1]
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return [value, at + 1]
  }
  throw new RangeError('past the end')
}

function slice(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (start + length > bytes.length) throw new RangeError('past the end')
  return bytes.subarray(start, start + length)
}

function u32(bytes: Uint8Array, at: number): number {
  return new DataView(slice(bytes, at, 4).slice().buffer).getUint32(0)
}
