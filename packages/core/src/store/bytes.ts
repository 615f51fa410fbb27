/** Portable conversion between text and bytes. */

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const scratch = new Uint8Array(16_384)

const POOL_BYTES = 32_768
/** Maximum length of a pooled string, in UTF-16 code units. Short strings cost more to allocate than to encode. */
const MAX_POOLED = 2_048
let pool = new Uint8Array(POOL_BYTES)
let used = 0

/** Encodes a string as UTF-8. The bytes of a short string are a view into a shared buffer. */
export function utf8Bytes(text: string): Uint8Array {
  if (text.length > MAX_POOLED) return encoder.encode(text)
  if (used + 3 * text.length > POOL_BYTES) {
    pool = new Uint8Array(POOL_BYTES)
    used = 0
  }
  const begin = used
  used += encoder.encodeInto(text, pool.subarray(begin)).written
  return pool.subarray(begin, used)
}

/** Decodes UTF-8. Invalid bytes become U+FFFD. */
export function utf8Text(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** Counts the UTF-8 bytes of a string. Reusing one buffer is several times as fast as encoding into a new one. */
export function utf8Length(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; ) {
    const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), scratch)
    at += read
    length += written
  }
  return length
}

/** Base64url alphabet, in order of value. */
export const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Encodes bytes as base64url without padding. */
export function base64urlFrom(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    for (let shift = 18; shift >= 0; shift -= 6) text += BASE64URL.charAt((bits >> shift) & 63)
  }
  return text.slice(0, Math.ceil((bytes.length * 4) / 3))
}

/** Decodes base64url, ignoring spare bits. Returns undefined if `text` contains a character outside the alphabet. */
export function bytesFromBase64url(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  for (let at = 0, end = 0; at < text.length; at++) {
    const digit = BASE64URL.indexOf(text.charAt(at))
    if (digit < 0) return undefined
    bits = (bits << 6) | digit
    if (at % 4 > 0) bytes[end++] = bits >> (6 - 2 * (at % 4))
  }
  return bytes
}

/** Concatenates byte arrays into a new buffer. */
export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.byteLength
  }
  return joined
}
