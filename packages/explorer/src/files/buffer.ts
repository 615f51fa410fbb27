/** The part of the Node.js `Buffer` that the search engine needs, for use in a browser worker. */

class Bytes extends Uint8Array {
  /** Decodes UTF-8 and ignores the encoding argument. */
  override toString(_encoding = 'utf8', start = 0, end = this.byteLength): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.subarray(start, end))
  }
}

/** Encodes a string as UTF-8, copies an array of bytes, or returns a view of an `ArrayBuffer`. */
function from(source: string | ArrayBuffer | ArrayLike<number>, start = 0, length?: number): Bytes {
  if (source instanceof ArrayBuffer) return new Bytes(source, start, length)
  return new Bytes(typeof source === 'string' ? new TextEncoder().encode(source) : source)
}

function concat(parts: readonly Uint8Array[]): Bytes {
  const whole = new Bytes(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

function compare(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.byteLength, other.byteLength)
  for (let at = 0; at < length; at += 1) {
    const difference = (one[at] as number) - (other[at] as number)
    if (difference !== 0) return Math.sign(difference)
  }
  return Math.sign(one.byteLength - other.byteLength)
}

Object.assign(globalThis, { Buffer: { from, concat, compare, alloc: (size: number) => new Bytes(size) } })
