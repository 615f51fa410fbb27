/** Literals in conditions: numbers, strings, booleans, dates, timestamps and references. */
import { idFault, isObject, type JsonValue, typeFault } from '@worldwright/client/protocol'
import { instantOf, type Operand, type ValueKind } from '@worldwright/core/store'
import { ANY_TYPE, type Askable } from './askable.ts'
import type { InputFaults } from './input-faults.ts'
import { type Day, dayFromText } from './instants.ts'
import { shownPath } from './property-path.ts'

/** Literal as written in the query. */
export type Literal =
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'boolean'; readonly value: boolean }
  | { readonly is: 'text'; readonly value: string }
  | { readonly is: 'date'; readonly value: string; readonly day: Day }
  | { readonly is: 'timestamp'; readonly value: number }
  | { readonly is: 'reference'; readonly value: { readonly type: string; readonly id: string } }

/** Operand for comparing a literal: a single value, or a day if instants are compared with a date. */
export type Compared = { readonly operand: Operand } | { readonly day: Day }

/** Reads a CQL2-JSON literal. Returns undefined, with a fault added, if the value is invalid. */
export function readLiteral(value: JsonValue, pointer: string, faults: InputFaults): Literal | undefined {
  switch (typeof value) {
    case 'number':
      if (Number.isFinite(value)) return { is: 'number', value: value === 0 ? 0 : value }
      return faults.add(pointer, 'malformed', 'a number has at most 308 digits')
    case 'boolean':
      return { is: 'boolean', value }
    case 'string':
      if (value.isWellFormed()) return { is: 'text', value }
      return faults.add(pointer, 'malformed', 'half of a surrogate pair is no text')
    default:
      if (isObject(value)) return readObject(value, pointer, faults)
      return faults.add(pointer, 'wrong_type', `a value is ${VALUES}`)
  }
}

const VALUES = 'a number, a text, true, false, { date }, { timestamp } or a reference { type, id }'

function readObject(
  value: Readonly<Record<string, JsonValue>>,
  pointer: string,
  faults: InputFaults,
): Literal | undefined {
  const names = Object.keys(value).sort().join()
  if (names === 'date') return readDate(value['date'], `${pointer}/date`, faults)
  if (names === 'timestamp') return readTimestamp(value['timestamp'], `${pointer}/timestamp`, faults)
  if (names === 'id,type') return readReference([value['type'], value['id']], pointer, faults)
  const { op, args } = value
  if (op === 'entity') return readReference(Array.isArray(args) ? args : [], pointer, faults)
  if (op !== undefined) {
    const message = `${shown(op)} cannot be computed here: a value is ${VALUES}`
    return faults.add(`${pointer}/op`, 'not_allowed', message)
  }
  if (value['property'] !== undefined)
    return faults.add(
      pointer,
      'not_allowed',
      'a property is compared with a value, not with another property',
    )
  return faults.add(pointer, 'malformed', `a value is ${VALUES}`)
}

function readDate(value: JsonValue | undefined, pointer: string, faults: InputFaults): Literal | undefined {
  const day = typeof value === 'string' ? dayFromText(value) : undefined
  if (typeof value === 'string' && day) return { is: 'date', value, day }
  return faults.add(pointer, 'malformed', 'a date is a day of the calendar, such as 1990-01-31')
}

function readTimestamp(
  value: JsonValue | undefined,
  pointer: string,
  faults: InputFaults,
): Literal | undefined {
  const instant = typeof value === 'string' ? instantOf(value) : undefined
  if (instant !== undefined) return { is: 'timestamp', value: instant }
  return faults.add(pointer, 'malformed', 'a timestamp is a time such as 1990-01-31T12:00:00Z')
}

/** Reads the type and id of a reference. Returns undefined if a fault was added. */
export function readReference(
  names: readonly (JsonValue | undefined)[],
  pointer: string,
  faults: InputFaults,
): (Literal & { readonly is: 'reference' }) | undefined {
  const [type, id] = names
  if (names.length !== 2 || typeof type !== 'string' || typeof id !== 'string')
    return faults.add(pointer, 'malformed', 'a reference is { type, id }, or entity of a type and an id')
  if (typeFault(type) !== undefined)
    return faults.add(pointer, 'malformed', 'the type of a reference is prefix:name')
  const fault = idFault(id)
  if (fault !== undefined && fault !== 'not_nfc')
    return faults.add(pointer, 'malformed', 'no entity can have the id of this reference')
  return { is: 'reference', value: { type, id: id.normalize('NFC') } }
}

/** Returns the operands for comparing a literal with a property. Adds a fault and returns an empty array if no kind fits. */
export function comparedWith(
  literal: Literal,
  askable: Askable,
  pointer: string,
  faults: InputFaults,
): readonly Compared[] {
  const every = [...askable.kinds].flatMap((kind) => as(kind, literal, askable) ?? [])
  const compared = [...new Map(every.map((one) => [JSON.stringify(one), one])).values()]
  if (compared.length === 0)
    faults.add(
      pointer,
      'wrong_type',
      `${shownPath(askable.path)} ${holds(askable)}${spelling(literal, askable)}`,
    )
  return compared
}

/** Returns the end of a message that shows how to write a reference, if a text was written instead. */
function spelling({ is, value }: Literal, { path, kinds, refersTo }: Askable): string {
  if (is !== 'text' || !kinds.has('reference')) return ''
  const type = [...refersTo].find((one) => one !== ANY_TYPE) ?? 'prefix:name'
  return `: write ${shownPath(path)} = entity('${type}', '${value.slice(0, 60).replaceAll("'", "''")}'), { op: "entity", args: [type, id] } in JSON`
}

function as(kind: ValueKind, literal: Literal, askable: Askable): Compared | undefined {
  switch (kind) {
    case 'number':
    case 'boolean':
      return literal.is === kind ? { operand: literal.value } : undefined
    case 'reference':
      return literal.is === kind ? { operand: { reference: literal.value } } : asReference(literal, askable)
    case 'text':
      return asText(literal, askable)
    case 'instant':
      return asInstant(literal)
    case 'place':
      return undefined
  }
}

/** Converts a text to a reference, if a property has no other values and can refer to only one type. */
function asReference(literal: Literal, { kinds, refersTo }: Askable): Compared | undefined {
  const [type = ANY_TYPE, ...others] = refersTo
  if (literal.is !== 'text' || kinds.size > 1 || type === ANY_TYPE || others.length > 0) return undefined
  return { operand: { reference: { type, id: literal.value.normalize('NFC') } } }
}

/**
 * Converts a literal for comparison with text. A timestamp stays an instant: text that is a timestamp is indexed as one. A
 * reference to a type whose ids are the texts is its id.
 */
function asText(literal: Literal, { isDate, idsOf }: Askable): Compared | undefined {
  if (literal.is === 'reference')
    return idsOf.has(literal.value.type) ? { operand: literal.value.id } : undefined
  if (literal.is === 'date' || literal.is === 'text') return { operand: literal.value }
  return literal.is === 'timestamp' && !isDate ? { operand: { instant: literal.value } } : undefined
}

function asInstant(literal: Literal): Compared | undefined {
  if (literal.is === 'timestamp') return { operand: { instant: literal.value } }
  if (literal.is === 'date') return { day: literal.day }
  if (literal.is !== 'text') return undefined
  const instant = instantOf(literal.value)
  if (instant !== undefined) return { operand: { instant } }
  const day = dayFromText(literal.value)
  return day && { day }
}

const HELD: Readonly<Record<ValueKind, string>> = {
  number: 'numbers',
  boolean: 'true or false',
  text: 'texts',
  instant: 'timestamps',
  reference: 'references { type, id }',
  place: 'places, which s_intersects and distance ask for',
}

/** Returns a phrase that describes a property's values, to complete a sentence. */
export function holds({ kinds, isDate }: Askable): string {
  const held = [...kinds].map((kind) => (kind === 'text' && isDate ? 'dates such as 1990-01-31' : HELD[kind]))
  return `holds ${held.join(' or ')}`
}

/** Quotes a name for a message, truncating a long one. Other values are not shown, because they may be deeply nested. */
export function shown(value: JsonValue | undefined): string {
  if (typeof value !== 'string') return 'what stands there'
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}…` : value)
}
