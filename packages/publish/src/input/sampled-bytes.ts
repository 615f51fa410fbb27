/** Reads a sample of a large file: its beginning and some other places, each from one record boundary to another. */
import type { WholeRecords } from '../formats/contract/format.ts'

const MEGABYTE = 1024 * 1024

/** Maximum size of a file that is read whole, in bytes. */
const WHOLE_BYTES = 8 * MEGABYTE

/** Usual factor by which gzip makes a table smaller. */
const PACKED = 8

/** Less than every large file holds, also unpacked. */
const FIRST_BYTES = MEGABYTE / 4
/** Size of a place after the beginning, and distance between the beginnings of two. */
const PLACE_BYTES = MEGABYTE / 32
const DISTANCE = 16 * MEGABYTE

/** Number of bytes after which no further places are read, since counting the lines before a place takes time. */
const LAST_BYTES = 512 * MEGABYTE

/** Reports whether a file of this size is so large that a sample has to do. */
export function isLarge(name: string, size: number): boolean {
  return size * (/\.gz$/i.test(name) ? PACKED : 1) > WHOLE_BYTES
}

/** Samples a stream. `sentence`, complete at the end, says of what; `lineOf` returns the stream's line of one in the sample. */
export function sampled(stream: AsyncIterable<Uint8Array>, recordsIn: WholeRecords) {
  const lines = [{ own: 1, there: 1 }]
  let [at, line, ownLine, places, unsure, isWhole] = [0, 1, 1, 0, 0, false]
  let piece: Uint8Array[] = []
  const taken = () => {
    const bytes = Buffer.concat(piece)
    piece = []
    const range = recordsIn(bytes)
    if (range === undefined) unsure += 1
    const [from, to] = range ?? [0, 0]
    if (to <= from) return undefined
    lines.push({ own: ownLine, there: line - newlines(bytes) + newlines(bytes.subarray(0, from)) })
    const part = bytes.subarray(from, to)
    ownLine += newlines(part)
    places += 1
    return part
  }
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      for (let start = 0; start < chunk.length; ) {
        const offset = at % DISTANCE
        const end = at < DISTANCE ? FIRST_BYTES : PLACE_BYTES
        const step = Math.min(chunk.length - start, (offset < end ? end : DISTANCE) - offset)
        const part = chunk.subarray(start, start + step)
        start += step
        at += step
        line += newlines(part)
        if (offset >= end) continue
        piece.push(part)
        if (offset + step < end) continue
        const found = taken()
        if (found) yield found
      }
      if (at >= LAST_BYTES) return
    }
    isWhole = true
  }
  return {
    bytes: bytes(),
    lineOf(own: number): number {
      const { own: first, there } = lines.findLast((one) => one.own <= own) ?? { own, there: own }
      return there + own - first
    },
    sentence(): string {
      const others = places - 1
      const where = others > 0 ? `its beginning and ${others} other places` : 'its beginning'
      const reach = isWhole ? '' : `, in its first ${LAST_BYTES / MEGABYTE} MB`
      const why = unsure > 0 ? `; at ${unsure} places no row boundary was certain` : ''
      return `a sample was read: ${where}${reach}${why}`
    },
  }
}

function newlines(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) count += 1
  return count
}
