/**
 * Converts JSON Schema (2020-12) to TypeScript types. Constraints that types cannot express (patterns, ranges, conditions)
 * are dropped, so a type never rejects a valid value. Unsupported schemas become `JsonValue`.
 */
import { isObject, pointerSteps } from '@worldwright/client/protocol'

/** Maximum reference depth. Deeper references become `JsonValue`, since a schema may refer to itself. */
const MOST_DEPTH = 8
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
  array: 'JsonValue[]',
  object: 'Record<string, JsonValue>',
}

type Schema = Record<string, unknown>

/** Returns the TypeScript type of a schema. `indent` is the indentation of the line that contains it. */
export function typeOf(schema: unknown, indent = '', root: unknown = schema, depth = 0): string {
  if (schema === false) return 'never'
  if (!isObject(schema)) return 'JsonValue'
  const type = (part: unknown) => typeOf(part, indent, root, depth + 1)
  if (typeof schema['$ref'] === 'string') {
    return depth < MOST_DEPTH ? type(referred(schema['$ref'], root)) : 'JsonValue'
  }
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map(literal))
  const either = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(either)) return union(either.map(type))
  if (Array.isArray(schema['allOf'])) {
    const { allOf, ...rest } = schema
    const all = [...schema['allOf'], ...(rest['type'] || rest['properties'] ? [rest] : [])]
    return all.map((part) => `(${type(part)})`).join(' & ') || 'JsonValue'
  }
  if (isObject(schema['properties'])) return membersOf(schema, indent, root, depth)
  const types = [schema['type']].flat().filter((name) => typeof name === 'string')
  if (types.length > 1) return union(types.map((name) => type({ ...schema, type: name })))
  const [name] = types
  if (name === 'array') return arrayOf(schema, type)
  if (name === 'object' && isObject(schema['additionalProperties'])) {
    return `Record<string, ${type(schema['additionalProperties'])}>`
  }
  return PRIMITIVES[name ?? ''] ?? 'JsonValue'
}

/** Formats the description or title of a schema as a doc comment line, or returns an empty string if it has neither. */
export function commentOf(schema: unknown, indent: string): string {
  const text = isObject(schema) ? (schema['description'] ?? schema['title']) : undefined
  if (typeof text !== 'string' || text.trim() === '') return ''
  // The text is untrusted: it must not end the comment or contain control characters.
  const plain = text
    .replaceAll('*/', '*\\/')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  return `${indent}/** ${plain} */\n`
}

/** Returns a property name, quoted unless it is an identifier. */
export function nameOf(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name).replaceAll(/[\u2028\u2029]/g, escaped)
}

function membersOf(schema: Schema, indent: string, root: unknown, depth: number): string {
  const properties = Object.entries(schema['properties'] as Schema)
  if (properties.length === 0) return PRIMITIVES['object'] as string
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const inner = `${indent}  `
  const lines = properties.map(([name, part]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${commentOf(part, inner)}${inner}${nameOf(name)}${mark}: ${typeOf(part, inner, root, depth + 1)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function arrayOf(schema: Schema, type: (part: unknown) => string): string {
  const { items, prefixItems } = schema
  if (!Array.isArray(prefixItems)) return items === undefined ? 'JsonValue[]' : `(${type(items)})[]`
  const rest = items === false ? '' : `, ...${items === undefined ? 'JsonValue' : `(${type(items)})`}[]`
  return `[${prefixItems.map((part) => `(${type(part)})?`).join(', ')}${rest}]`
}

function union(types: string[]): string {
  return [...new Set(types)].map((type) => (type.includes('\n') ? `(${type})` : type)).join(' | ') || 'never'
}

function literal(value: unknown): string {
  const plain = value === null || ['string', 'number', 'boolean'].includes(typeof value)
  return plain ? JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, escaped) : 'JsonValue'
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Resolves a reference within the document (RFC 6901). Returns `true`, which allows any JSON, for other references. */
function referred(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return true
  let at: unknown = root
  for (const name of pointerSteps(decodeURIComponent(reference.slice(1)))) {
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}
