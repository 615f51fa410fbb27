/** Parses JSON text strictly: reports what `JSON.parse` silently drops or alters (decisions 2). */
import { endOfScalar, endOfString, holdsValue } from '@worldwright/client/exact'
import { type FieldFault, type JsonValue, pointerTo } from '@worldwright/client/protocol'
import { CODE } from './json-spans.ts'

/** A fault in a record: the pointer to the value (RFC 6901, `''` for the whole record), the reason and a message. */
export interface RecordFault {
  readonly pointer: string
  readonly reason: FieldFault['reason']
  readonly message: string
}

/**
 * A record read from a line, or the fault that was found. Lines are numbered from 1. `cells`: the record comes from a
 * table, so its values are strings. `warnings`: dropped parts, with reasons. `text`: the faulty line, if readable.
 */
export type ReadRecord =
  | {
      readonly line: number
      readonly record: JsonValue
      readonly cells?: true
      readonly warnings?: readonly string[]
    }
  | { readonly line: number; readonly fault: RecordFault; readonly text?: string }

/** The value of JSON text, or the fault that prevented parsing. */
export type ParsedJson = { readonly value: JsonValue } | { readonly fault: RecordFault }

/** Maximum nesting depth of JSON text: more than any entity may have, but safe for recursive functions. */
const MAX_TEXT_DEPTH = 128

/**
 * Parses JSON text. Besides syntax errors, reports repeated keys, integers beyond ±(2^53−1), decimals that no double
 * identifies, numbers that overflow or underflow a double, and nesting beyond 128 levels. Keys such as `__proto__` become own
 * properties of the result.
 */
export function parseJson(text: string): ParsedJson {
  let value: JsonValue
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: malformed(`not JSON: ${(error as Error).message}`) }
  }
  const fault = forgottenIn(text)
  return fault ? { fault } : { value }
}

/** Creates the fault for text that cannot be parsed. */
export function malformed(message: string): RecordFault {
  return { pointer: '', reason: 'malformed', message }
}

/** An object or array that is still open at the current character. */
interface Container {
  /** Keys seen so far; undefined in an array. */
  readonly keys: string[] | undefined
  /** The same keys as a set; undefined until there are more than FEW_KEYS keys. */
  manyKeys: Set<string> | undefined
  /** Key or index of the current member or element. */
  step: string | number
  /** True if the next string is a key. */
  beforeKey: boolean
}

/** Maximum number of keys that are searched linearly, which is faster than a set for so few. */
const FEW_KEYS = 24

/** Number of decimal digits that every double preserves. */
const SAFE_DIGITS = 15

/** Length of `1e309`. A shorter literal can neither overflow nor underflow a double. */
const SHORTEST_OUT_OF_RANGE = 5

/** A literal without an exponent needs at least this many characters to overflow or underflow a double. */
const MIN_PLAIN_OUT_OF_RANGE = 300

/** Returns the first fault that `JSON.parse` hides in syntactically valid text, or undefined if there is none. */
function forgottenIn(text: string): RecordFault | undefined {
  const open: Container[] = []
  let inner: Container | undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === CODE.quote) {
      const end = endOfString(text, at)
      if (inner?.beforeKey && !addKey(inner, text.slice(at, end))) return repeatedKey(open)
      at = end - 1
    } else if (code === CODE.comma) {
      if (inner?.keys) inner.beforeKey = true
      else if (inner) (inner.step as number) += 1
    } else if (code === CODE.openObject || code === CODE.openArray) {
      if (open.length === MAX_TEXT_DEPTH) return tooDeep()
      const isObject = code === CODE.openObject
      inner = { keys: isObject ? [] : undefined, manyKeys: undefined, step: 0, beforeKey: isObject }
      open.push(inner)
    } else if (code === CODE.closeObject || code === CODE.closeArray) {
      open.pop()
      inner = open.at(-1)
    } else if (isDigit(code)) {
      const end = endOfScalar(text, at)
      const literal = end - at < SHORTEST_OUT_OF_RANGE ? '' : text.slice(at, end)
      if (literal !== '' && isOutOfRange(literal)) return outOfRange(text, at, end)
      if (end - at > SAFE_DIGITS && !holdsValue(Number(literal), literal)) return tooManyDigits(text, at, end)
      at = end - 1
    }
  }
  return undefined
}

/** Adds a key literal to an open object. Returns false if the object already has the key. */
function addKey(object: Container, literal: string): boolean {
  const key: string = literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1)
  object.step = key
  object.beforeKey = false
  const { keys = [], manyKeys } = object
  if (manyKeys ? manyKeys.has(key) : keys.includes(key)) return false
  keys.push(key)
  if (manyKeys) manyKeys.add(key)
  else if (keys.length > FEW_KEYS) object.manyKeys = new Set(keys)
  return true
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Reports whether an unsigned literal overflows a double, or is not 0 but underflows to 0. */
function isOutOfRange(literal: string): boolean {
  if (!/[eE]/.test(literal) && literal.length < MIN_PLAIN_OUT_OF_RANGE) return false
  const value = Number(literal)
  return value === Number.POSITIVE_INFINITY || (value === 0 && /^[0.]*[1-9]/.test(literal))
}

function outOfRange(text: string, start: number, end: number): RecordFault {
  const message = `${shownNumber(text, start, end)} is too large or too small for a number; write it as a string`
  return { pointer: '', reason: 'not_allowed', message }
}

function shownNumber(text: string, start: number, end: number): string {
  const literal = text.slice(text[start - 1] === '-' ? start - 1 : start, end)
  return literal.length > 40 ? `${literal.slice(0, 40)}…` : literal
}

function tooManyDigits(text: string, start: number, end: number): RecordFault {
  const isWhole = /^\d+$/.test(text.slice(start, end))
  const told = isWhole
    ? 'is beyond ±(2^53−1), where whole numbers lose digits'
    : 'has more digits than a number keeps'
  const message = `${shownNumber(text, start, end)} ${told}; write it as a string`
  return { pointer: '', reason: 'not_allowed', message }
}

function repeatedKey(open: readonly Container[]): RecordFault {
  const pointer = open.reduce((parent, { step }) => pointerTo(parent, step), '')
  return { pointer, reason: 'repeated', message: 'the key is written more than once in its object' }
}

function tooDeep(): RecordFault {
  return { pointer: '', reason: 'too_many', message: `nested deeper than ${MAX_TEXT_DEPTH} levels` }
}
