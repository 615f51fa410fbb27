/** Decodes the PNG files that share images are: eight bits for each of red, green, blue and opacity. */
import { inflateSync } from 'node:zlib'

/** Size of a decoded picture, with its pixels row by row as `0xrrggbbaa`. */
export interface Decoded {
  readonly width: number
  readonly height: number
  readonly pixels: Uint32Array
}

/** Decodes a picture. @throws Error for other kinds of PNG */
export function decodePng(bytes: Uint8Array): Decoded {
  const file = Buffer.from(bytes)
  if (file.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') throw new Error('not a PNG')
  const [width, height, kind] = [file.readUInt32BE(16), file.readUInt32BE(20), file.readUInt16BE(24)]
  if (kind !== 0x0806) throw new Error(`of another kind: ${kind}`)
  const data: Buffer[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  const bytesOut = unfiltered(inflateSync(Buffer.concat(data)), width * 4, height)
  const pixels = new Uint32Array(bytesOut.swap32().buffer, bytesOut.byteOffset, width * height)
  return { width, height, pixels }
}

/** Returns the number of pixels that differ between two pictures of one size. */
export function differingPixels(one: Decoded, other: Decoded): number {
  let count = 0
  for (let index = 0; index < one.pixels.length; index += 1)
    if (one.pixels[index] !== other.pixels[index]) count += 1
  return count
}

/** Reverses the filters of PNG: each byte is the difference to a guess from the bytes to its left, above it, or both. */
function unfiltered(lines: Buffer, length: number, height: number): Buffer {
  const out = Buffer.alloc(length * height)
  for (let y = 0, at = 0; y < height; y += 1) {
    const start = y * (length + 1)
    const guess = GUESSES[lines[start] ?? 0]
    for (let x = 0; x < length; x += 1, at += 1) {
      const left = x < 4 ? 0 : (out[at - 4] ?? 0)
      const up = y === 0 ? 0 : (out[at - length] ?? 0)
      const corner = x < 4 || y === 0 ? 0 : (out[at - length - 4] ?? 0)
      out[at] = (lines[start + 1 + x] ?? 0) + (guess?.(left, up, corner) ?? 0)
    }
  }
  return out
}

/** Guesses by the number of their filter. */
const GUESSES: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  nearest,
]

function nearest(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
