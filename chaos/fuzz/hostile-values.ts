/** Generates values that are valid, nearly valid or invalid for a schema, and corrupted JSON. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import { isObject } from '@worldwright/client/protocol'
import type { Random } from './random.ts'

/** Maximum nesting depth of a value. */
const MAX_DEPTH = 5

const TEXTS = [
  ...[
    '',
    ' ',
    'io',
    'Europa',
    'sol:moon',
    '__proto__',
    'constructor',
    '../..',
    '%2e%2e/',
    '\u0000',
    '\ud800',
  ],
  ...[
    '\u202e',
    'é',
    'e\u0301',
    '🪐',
    "' OR 1=1 --",
    '=1+1',
    '<script>',
    '2026-02-30',
    '-',
    '*',
    'null',
    'NaN',
  ],
  ...['a'.repeat(600), 'x '.repeat(400), '"'.repeat(50), '\\'.repeat(51), '\r\nX: y', '1e999', '0x10', '+1'],
]

const NUMBERS = [0, -0, 1, -1, 0.5, 1e21, -1e-7, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324, 1_000, 1_001]

/** Returns a value that is usually valid for a schema. `components` resolves the references of the schema. */
export function valueFor(
  schema: unknown,
  random: Random,
  components: JsonObject,
  depth = 0,
): JsonValue | undefined {
  if (!isObject(schema as JsonValue) || depth > MAX_DEPTH || random.isIn(0.08)) return anyValue(random, depth)
  const { $ref, const: only, enum: some, type, properties, items, oneOf, anyOf, allOf } = schema as JsonObject
  const within = (inner: unknown) => valueFor(inner, random, components, depth + 1)
  if (typeof $ref === 'string') return within(referred($ref, components))
  if (only !== undefined) return only
  if (Array.isArray(some)) return random.one(some)
  const branches = [oneOf, anyOf, allOf].find(Array.isArray)
  if (branches) return within(random.one(branches))
  const kind = Array.isArray(type) ? random.one(type) : type
  if (kind === 'array') return Array.from({ length: random.below(4) }, () => within(items) ?? null)
  if (kind === 'object' || isObject(properties)) return objectFor(properties, random, within)
  if (kind === 'integer') return random.isIn(0.7) ? random.below(50) : random.one(NUMBERS)
  if (kind === 'number') return random.isIn(0.7) ? random.next() * 100 : random.one(NUMBERS)
  if (kind === 'boolean') return random.isIn(0.5)
  if (kind === 'string') return anyText(random)
  return anyValue(random, depth)
}

/** Returns a random JSON value, rarely a deep one. */
export function anyValue(random: Random, depth = 0): JsonValue {
  const kind = random.below(depth > MAX_DEPTH ? 4 : 7)
  if (kind === 0) return null
  if (kind === 1) return random.isIn(0.5)
  if (kind === 2) return random.one(NUMBERS)
  if (kind === 3) return anyText(random)
  const inner = () => anyValue(random, depth + 1)
  if (kind === 4) return Array.from({ length: random.below(4) }, inner)
  return Object.fromEntries(Array.from({ length: random.below(4) }, () => [anyText(random), inner()]))
}

/** Returns a random text, usually one of the hostile `TEXTS`. */
export function anyText(random: Random): string {
  if (random.isIn(0.7)) return random.one(TEXTS)
  return String.fromCodePoint(...Array.from({ length: random.below(30) }, () => random.below(0x250)))
}

/** Returns the JSON of a value, sometimes with bytes changed, removed or duplicated, or with excessive nesting. */
export function spoiltJson(value: JsonValue | undefined, random: Random): Buffer {
  if (random.isIn(0.02)) return Buffer.from('[{"a":'.repeat(random.below(50_000)))
  if (random.isIn(0.02)) return Buffer.from(`{"input":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)
  const bytes = Buffer.from(JSON.stringify(value) ?? '')
  return random.isIn(0.8) ? bytes : spoilt(bytes, random)
}

/** Returns a copy of the bytes with some of them replaced, removed or duplicated. */
export function spoilt(bytes: Buffer, random: Random): Buffer {
  let result = bytes
  for (let changes = 1 + random.below(4); changes > 0 && result.length > 0; changes--) {
    const at = random.below(result.length)
    const end = at + 1 + random.below(random.isIn(0.2) ? 40 : 1)
    const [before, taken, after] = [result.subarray(0, at), result.subarray(at, end), result.subarray(end)]
    const kind = random.below(3)
    const between = [Buffer.from([random.below(256)]), Buffer.of(), Buffer.concat([taken, taken])][kind]
    result = Buffer.concat([before, between as Buffer, after])
  }
  return result
}

function objectFor(
  properties: JsonValue | undefined,
  random: Random,
  within: (schema: unknown) => JsonValue | undefined,
): JsonObject {
  const entries = Object.entries(isObject(properties ?? null) ? (properties as JsonObject) : {})
  const some = entries.filter(() => random.isIn(0.7)).map(([name, inner]) => [name, within(inner)])
  const others = random.isIn(0.1) ? [[anyText(random), anyValue(random)]] : []
  return Object.fromEntries([...some, ...others].filter(([, value]) => value !== undefined))
}

function referred($ref: string, components: JsonObject): unknown {
  const name = decodeURIComponent($ref.split('/').at(-1) ?? '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  return components[name]
}
