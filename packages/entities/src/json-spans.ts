/**
 * Finds the parts of a JSON text without parsing them. Tolerant: text that is not JSON gives spans, too; parsing each span then
 * reports what is wrong with it.
 */

/** Codes of the characters of JSON syntax. */
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

/** A part of a text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A member of a JSON object: its decoded key and the span of its value. */
export interface MemberSpan extends Span {
  readonly key: string
}

/** End of a walk over the parts of an array or object: after it or, if `broken`, at an unexpected character. */
export interface SpanEnd {
  readonly end: number
  readonly broken: boolean
}

/** Yields the elements of the array that begins at `start`, in order. */
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

/** Yields the members of the object that begins at `start`, in order, repeated keys included. */
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

/** Returns the index after the string whose opening quote is at `start`; the end of the text if it does not close. */
export function endOfString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return text.length
    let before = quote - 1
    while (text.charCodeAt(before) === CODE.backslash) before--
    // Backslashes in even number escape each other, so the quote is not escaped.
    if ((quote - before) % 2 === 1) return quote + 1
    from = quote + 1
  }
}

/** Returns the index of the first character at or after `at` that is not JSON white space. */
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

/** Returns the index after the number, `true`, `false` or `null` that begins at `start`. */
export function endOfScalar(text: string, start: number): number {
  let at = start
  while (at < text.length && !endsScalar(text.charCodeAt(at))) at++
  return at
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

function endsScalar(code: number): boolean {
  return isWhite(code) || code === CODE.comma || code === CODE.closeArray || code === CODE.closeObject
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
