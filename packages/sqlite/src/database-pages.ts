/** Reads pages of an SQLite file and its log without SQLite, which rejects damaged files and may write to files. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Page size, in bytes, that is assumed if the one in the file header is invalid. */
const DEFAULT_PAGE_BYTES = 8_192
const HEADER_BYTES = 100
const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/** Read-only view of a database's pages as of the last commit (https://sqlite.org/fileformat.html). */
export class DatabasePages {
  readonly pageBytes: number
  /** Number of pages at the last commit. Page numbers start at 1. */
  readonly count: number
  /** Byte offset at which damage in the log begins; undefined if the log is intact. */
  readonly logDamagedAt: number | undefined
  readonly #file: number
  readonly #log: number | undefined
  /** For each page number, the byte offset of the page's latest version in the log. */
  readonly #inLog = new Map<number, number>()

  /** Opens the files. The caller must call `close`. */
  constructor(path: string) {
    this.#file = openSync(path, 'r')
    this.#log = openedIfThere(`${path}-wal`)
    const { size } = fstatSync(this.#file)
    this.pageBytes = pageBytesOf(bytesAt(this.#file, 0, HEADER_BYTES))
    const log = this.#log === undefined ? undefined : this.#readLog(this.#log)
    this.logDamagedAt = log?.damagedAt
    this.count = log?.pages ?? Math.ceil(size / this.pageBytes)
  }

  /** Returns a page. The page is truncated if the file ends within it, and empty if the file ends before it. */
  page(number: number): Uint8Array {
    const inLog = this.#inLog.get(number)
    if (inLog !== undefined && this.#log !== undefined) return bytesAt(this.#log, inLog, this.pageBytes)
    return bytesAt(this.#file, (number - 1) * this.pageBytes, this.pageBytes)
  }

  close(): void {
    closeSync(this.#file)
    if (this.#log !== undefined) closeSync(this.#log)
  }

  /** Indexes the committed pages in the log. Returns the last commit's page count and the offset at which damage begins. */
  #readLog(log: number): { pages: number | undefined; damagedAt: number | undefined } {
    const header = viewOf(bytesAt(log, 0, LOG_HEADER_BYTES))
    const frameBytes = FRAME_HEADER_BYTES + this.pageBytes
    const { size } = fstatSync(log)
    if (size < LOG_HEADER_BYTES) return { pages: undefined, damagedAt: size === 0 ? undefined : 0 }
    const isBigEndian = (header.getUint32(0) & 1) === 1
    const sum = new LogChecksum(isBigEndian)
    sum.add(header, 0, 24)
    if (!sum.is(header, 24)) return { pages: undefined, damagedAt: 0 }
    let pages: number | undefined
    let uncommitted: [number, number][] = []
    for (let at = LOG_HEADER_BYTES; at + frameBytes <= size; at += frameBytes) {
      const frame = viewOf(bytesAt(log, at, frameBytes))
      // Frames with a different salt predate the last log restart. They mark the end of the log and are not damage.
      const isOfNow = [8, 12].every((word) => frame.getUint32(word) === header.getUint32(8 + word))
      if (!isOfNow) return { pages, damagedAt: undefined }
      sum.add(frame, 0, 8)
      sum.add(frame, FRAME_HEADER_BYTES, frameBytes)
      if (!sum.is(frame, 16)) return { pages, damagedAt: at }
      uncommitted.push([frame.getUint32(0), at + FRAME_HEADER_BYTES])
      if (frame.getUint32(4) === 0) continue
      pages = frame.getUint32(4)
      for (const [number, place] of uncommitted) this.#inLog.set(number, place)
      uncommitted = []
    }
    return { pages, damagedAt: undefined }
  }
}

/** Cumulative checksum of a log (https://sqlite.org/fileformat.html#checksum_algorithm). */
class LogChecksum {
  readonly #isBigEndian: boolean
  #first = 0
  #second = 0

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian
  }

  add(bytes: DataView, from: number, to: number): void {
    for (let at = from; at < to; at += 8) {
      this.#first = (this.#first + bytes.getUint32(at, !this.#isBigEndian) + this.#second) >>> 0
      this.#second = (this.#second + bytes.getUint32(at + 4, !this.#isBigEndian) + this.#first) >>> 0
    }
  }

  is(bytes: DataView, at: number): boolean {
    return bytes.getUint32(at) === this.#first && bytes.getUint32(at + 4) === this.#second
  }
}

function pageBytesOf(header: Uint8Array): number {
  if (header.length < HEADER_BYTES) return DEFAULT_PAGE_BYTES
  const said = viewOf(header).getUint16(16)
  const bytes = said === 1 ? 65_536 : said
  const isPossible = bytes >= 512 && (bytes & (bytes - 1)) === 0
  return isPossible ? bytes : DEFAULT_PAGE_BYTES
}

function openedIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Reads `length` bytes of a file, or fewer if the file ends first. */
function bytesAt(file: number, at: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let read = 0
  while (read < length) {
    const more = readSync(file, bytes, read, length - read, at + read)
    if (more === 0) break
    read += more
  }
  return bytes.subarray(0, read)
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
