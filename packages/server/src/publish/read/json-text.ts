/** Reading JSON text strictly: what `JSON.parse` repairs or forgets in silence is a fault here (decisions 2). */
import { type FieldFault, type JsonValue, pointerTo } from '@worldwright/client/protocol'
import { elementSpans, endOfString, memberSpans, skipWhite } from './json-spans.ts'

/** What is wrong with a record: where (RFC 6901, `''` for the whole), which kind of fault, and in words. */
export interface RecordFault {
  readonly pointer: string
  readonly reason: FieldFault['reason']
  readonly message: string
}

/** A record, or why there is none on that line. Lines count from 1. `cells`: its values are a table's, all text. */
export type ReadRecord =
  | { readonly line: number; readonly record: JsonValue; readonly cells?: true }
  | { readonly line: number; readonly fault: RecordFault }

/** A value as read from text, or the one reason why there is none. */
export type ParsedJson = { readonly value: JsonValue } | { readonly fault: RecordFault }

/** Levels of nesting a text may have; far more than an entity may, and few enough to walk by recursion. */
const MAX_TEXT_DEPTH = 128

/**
 * The value a JSON text stands for. Repeated keys, whole numbers that a double cannot hold exactly, and nesting beyond
 * 128 levels are faults besides bad syntax. Keys such as `__proto__` are own properties of the result.
 */
export function parseJson(text: string): ParsedJson {
  let value: JsonValue
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: { pointer: '', reason: 'malformed', message: `not JSON: ${(error as Error).message}` } }
  }
  const written = survey(text)
  if (written.depth > MAX_TEXT_DEPTH) {
    return {
      fault: { pointer: '', reason: 'too_many', message: `nested deeper than ${MAX_TEXT_DEPTH} levels` },
    }
  }
  const parsed: Parsed = { members: 0, unsafeIntegers: false }
  countMembers(value, parsed)
  // A repeated key leaves fewer members in the value than the text has colons: no second parser has to agree.
  if (parsed.members !== written.members) return { fault: repeatedKeyFault(text) }
  const literal = parsed.unsafeIntegers ? unsafeInteger(text) : undefined
  return literal === undefined ? { value } : { fault: unsafeIntegerFault(literal) }
}

/** Walks valid JSON text once, outside its strings: how many members it writes, and how deep it goes. */
function survey(text: string): { members: number; depth: number } {
  let members = 0
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at) - 1
    else if (code === 0x3a) members++
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x7d || code === 0x5d) depth--
  }
  return { members, depth: deepest }
}

/** What is left of a text once it is parsed. */
interface Parsed {
  members: number
  /** Whole numbers of which a double may not hold all digits. */
  unsafeIntegers: boolean
}

function countMembers(value: JsonValue, parsed: Parsed): void {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) parsed.unsafeIntegers = true
  } else if (Array.isArray(value)) {
    for (const element of value) if (typeof element !== 'string') countMembers(element, parsed)
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      parsed.members++
      const member = value[key] as JsonValue
      if (typeof member !== 'string') countMembers(member, parsed)
    }
  }
}

/** The first number written as a whole one, without fraction or exponent, that is beyond ±(2^53−1). */
function unsafeInteger(text: string): string | undefined {
  const number = /-?\d[\d.eE+-]*/y
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = endOfString(text, at) - 1
    number.lastIndex = at
    const literal = number.exec(text)?.[0]
    if (literal === undefined) continue
    if (/^-?\d+$/.test(literal) && !Number.isSafeInteger(Number(literal))) return literal
    at = number.lastIndex - 1
  }
  return undefined
}

function unsafeIntegerFault(literal: string): RecordFault {
  const shown = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal
  return {
    pointer: '',
    reason: 'not_allowed',
    message: `${shown} is beyond ±(2^53−1), where whole numbers lose digits; write it as a string`,
  }
}

function repeatedKeyFault(text: string): RecordFault {
  const pointer = repeatedKey(text, skipWhite(text, 0), '') ?? ''
  return { pointer, reason: 'repeated', message: 'the key is written more than once in its object' }
}

function repeatedKey(text: string, start: number, pointer: string): string | undefined {
  if (text[start] === '[') {
    let index = 0
    for (const span of elementSpans(text, start)) {
      const found = repeatedKey(text, span.start, pointerTo(pointer, index++))
      if (found !== undefined) return found
    }
  } else if (text[start] === '{') {
    const seen = new Set<string>()
    for (const span of memberSpans(text, start)) {
      const here = pointerTo(pointer, span.key)
      if (seen.has(span.key)) return here
      seen.add(span.key)
      const found = repeatedKey(text, span.start, here)
      if (found !== undefined) return found
    }
  }
  return undefined
}
