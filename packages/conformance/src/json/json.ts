/** JSON values: type tests, access to members, and equality. */

/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Member names that lead from a value to a nested member, outermost first. */
export type Path = readonly string[]

/** A member and its path. */
export interface Member {
  readonly path: Path
  readonly value: unknown
}

/** Parses JSON text. Returns undefined if `text` is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reports whether a value is a JSON object rather than an array, null or a number that keeps its digits. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Number)
}

/** Returns the value if it is an object, else an empty object. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Returns the elements of an array that are objects. Returns an empty array if `value` is not an array. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Converts two values to strings and compares their UTF-8 bytes. */
export function compareBytes(a: unknown, b: unknown): number {
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

/** Returns the first value that equals an earlier one, or undefined. */
export function repeated<Value>(values: readonly Value[]): Value | undefined {
  return values.find((value, index) => values.indexOf(value) !== index)
}

/** Reports whether a value is a non-empty string or a number. */
export function isScalar(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || isNumber(value)
}

/** Reports whether a value is a number, perhaps one that keeps its digits. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' || value instanceof Number
}

/** Returns the own member or array element at a JSON Pointer; undefined if there is none. */
export function atPointer(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>(
    (inside, name) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, name)
        ? (inside as JsonObject)[name]
        : undefined,
    value,
  )
}

/** Returns the own member at `path`, or undefined if there is none. Returns `value` itself for the empty path. */
export function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inside, name) => (isObject(inside) && Object.hasOwn(inside, name) ? inside[name] : undefined),
    value,
  )
}

/** Returns the members of an object and of objects nested up to `depth` levels in it, outer ones first. Skips arrays. */
export function membersOf(value: unknown, depth = 2): Member[] {
  if (!isObject(value)) return []
  const own = Object.entries(value).map(([name, member]) => ({ path: [name], value: member }))
  if (depth === 0) return own
  const inner = own.flatMap(({ path, value: member }) =>
    membersOf(member, depth - 1).map((one) => ({ path: [...path, ...one.path], value: one.value })),
  )
  return [...own, ...inner]
}

/** Returns every string in a JSON value, including the names of members. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)])
}

/** Reports whether two JSON values are equal. The order of object members is ignored; that of array elements is not. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((member, index) => sameJson(member, b[index]))
  if (a instanceof Number || b instanceof Number) return isNumber(a) && isNumber(b) && `${a}` === `${b}`
  if (!isObject(a) || !isObject(b)) return Object.is(a, b) || (a === 0 && b === 0)
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  )
}

/** Formats a path for options and reports, as in `page.data`. */
export function written(path: Path): string {
  return path.join('.')
}
