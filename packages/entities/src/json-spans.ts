/**
 * Locates the elements and members in JSON text without parsing their values. Malformed text may also yield spans. The
 * error is then reported when such a span is parsed.
 */

import { endOfScalar, endOfString } from '@worldwright/client/exact'

/** Character codes of JSON's structural characters, quote and backslash. */
export const CODE = {
  quote: 0x22,
  backslash: 0x5c,
  openArray: 0x5b,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
  comma: 0x2c,
  colon: 0x3a,
} as const

/** A range of the text, from `start` (inclusive) to `end` (exclusive). */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A member of a JSON object: its decoded key, and the span of its value. */
export interface MemberSpan extends Span {
  readonly key: string
}

/** Index after an array or object. If the text is `broken`, `end` is instead the index of the unexpected character. */
export interface SpanEnd {
  readonly end: number
  readonly broken: boolean
}

/** Yields the spans of the elements of the array that begins at `start`, in order. */
export function* elementSpans(text: string, start: number): Generator<Span, SpanEnd> {
  let at = skipWhite(text, start + 1)
  if (text.charCodeAt(at) === CODE.closeArray) return { end: at + 1, broken: false }
  while (true) {
    const span = { start: at, end: endOfValue(text, at) }
    yield span
    at = skipWhite(text, span.end)
    const next = text.charCodeAt(at)
    if (next === CODE.closeArray) return { end: at + 1, broken: false }
    if (next !== CODE.comma) return { end: at, broken: true }
    at = skipWhite(text, at + 1)
  }
}

/** Yields the members of the object that begins at `start`, in order. A repeated key is yielded each time it occurs. */
export function* memberSpans(text: string, start: number): Generator<MemberSpan, SpanEnd> {
  let at = skipWhite(text, start + 1)
  if (text.charCodeAt(at) === CODE.closeObject) return { end: at + 1, broken: false }
  while (true) {
    const keyEnd = endOfString(text, at)
    const key = text.charCodeAt(at) === CODE.quote ? decodedString(text.slice(at, keyEnd)) : undefined
    at = skipWhite(text, keyEnd)
    if (key === undefined || text.charCodeAt(at) !== CODE.colon) return { end: at, broken: true }
    const valueStart = skipWhite(text, at + 1)
    const valueEnd = endOfValue(text, valueStart)
    yield { key, start: valueStart, end: valueEnd }
    at = skipWhite(text, valueEnd)
    const next = text.charCodeAt(at)
    if (next === CODE.closeObject) return { end: at + 1, broken: false }
    if (next !== CODE.comma) return { end: at, broken: true }
    at = skipWhite(text, at + 1)
  }
}

/** Returns the index of the first character at or after `at` that is not JSON whitespace. */
export function skipWhite(text: string, at: number): number {
  let next = at
  while (isWhite(text.charCodeAt(next))) next++
  return next
}

function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === CODE.quote) return endOfString(text, start)
  if (first === CODE.openArray || first === CODE.openObject) return endOfNested(text, start)
  return endOfScalar(text, start)
}

function endOfNested(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === CODE.quote) at = endOfString(text, at) - 1
    else if (code === CODE.openArray || code === CODE.openObject) depth++
    else if ((code === CODE.closeArray || code === CODE.closeObject) && --depth === 0) return at + 1
  }
  return text.length
}

function isWhite(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function decodedString(literal: string): string | undefined {
  try {
    return JSON.parse(literal)
  } catch {
    return undefined
  }
}
