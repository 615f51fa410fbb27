/** Conversion of CQL2 from its JSON form to its text form, for people to read and edit. */
import { isObject, type JsonObject, type JsonValue } from '../protocol.ts'
import { KEYWORDS } from './keywords.ts'
import { isPlainName } from './tokens.ts'

/**
 * Converts a condition to text. `parseCql2` converts the text back to the same condition.
 * @throws TypeError for anything but a condition, or for a value that has no text form
 */
export function cql2Text(condition: JsonObject): string {
  return expression(condition)
}

const COMPARED = /^(<>|[<>]=?|=)$/

function expression(value: JsonValue): string {
  if (!isObject(value)) throw new TypeError('A condition is an object { op, args }')
  const { op, args } = value
  if (typeof op !== 'string' || !Array.isArray(args))
    throw new TypeError('A condition is an object { op, args }')
  const [first = null, second = null, third = null] = args
  if (op === 'and' || op === 'or')
    return args.map((arg) => inside(arg, op === 'and' ? ['and', 'or'] : ['or'])).join(` ${op.toUpperCase()} `)
  if (op === 'not') return `NOT ${inside(first, ['and', 'or', 'not'])}`
  if (op === 'isNull') return `${operand(first)} IS NULL`
  if (op === 'like') return `${operand(first)} LIKE ${operand(second)}`
  if (op === 'in') return `${operand(first)} IN ${operand(second)}`
  if (op === 'between') return `${operand(first)} BETWEEN ${operand(second)} AND ${operand(third)}`
  if (COMPARED.test(op)) return `${operand(first)} ${op} ${operand(second)}`
  return operand(value)
}

/** Formats a nested condition, in parentheses if it would otherwise be parsed differently. */
function inside(value: JsonValue, weaker: readonly string[]): string {
  const text = expression(value)
  return isObject(value) && weaker.includes(String(value['op'])) ? `(${text})` : text
}

function operand(value: JsonValue): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'boolean') return String(value).toUpperCase()
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `(${value.map(operand).join(', ')})`
  if (value === null) throw new TypeError('The text form of CQL2 has no null: ask IS NULL')
  return object(value)
}

function object(value: JsonObject): string {
  const { property, date, timestamp, bbox, type, id, coordinates, op, args } = value
  if (property !== undefined) return cql2Property(property)
  if (typeof date === 'string') return `DATE(${quoted(date)})`
  if (typeof timestamp === 'string') return `TIMESTAMP(${quoted(timestamp)})`
  if (Array.isArray(bbox)) return `BBOX(${bbox.join(', ')})`
  if (type === 'Point' && Array.isArray(coordinates)) return `POINT(${coordinates.join(' ')})`
  if (typeof type === 'string' && typeof id === 'string') return `entity(${quoted(type)}, ${quoted(id)})`
  if (typeof op === 'string' && Array.isArray(args) && isPlainName(op))
    return `${op}(${args.map(operand).join(', ')})`
  throw new TypeError(`The text form of CQL2 here has no way to write ${JSON.stringify(value)}`)
}

/** Formats a property name, quoted if it would otherwise be parsed differently. */
export function cql2Property(property: JsonValue): string {
  const names = typeof property === 'string' ? property.split('.') : property
  if (
    !Array.isArray(names) ||
    names.length === 0 ||
    names.some((name) => typeof name !== 'string' || name === '')
  )
    throw new TypeError('A property is a name, or a list of names')
  const isKeyword = names.length === 1 && KEYWORDS.has(String(names[0]).toUpperCase())
  return names
    .map((name) =>
      isPlainName(String(name)) && !isKeyword ? name : `"${String(name).replaceAll('"', '""')}"`,
    )
    .join('.')
}

function quoted(text: string): string {
  // Backslashes before a quote are doubled, because a single backslash would escape the quote.
  return `'${text.replace(/(\\*)('|$)/g, (_, slashes: string, quote: string) => slashes + slashes + quote + quote)}'`
}
