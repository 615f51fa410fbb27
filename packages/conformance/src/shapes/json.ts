/** JSON values: what they are, what stands where in them, and when two are the same. */

/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Where a member stands: the names that lead to it. */
export type Path = readonly string[]

/** A member and where it stands. */
export interface Member {
  readonly path: Path
  readonly value: unknown
}

/** Whether a JSON value is an object (no array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a JSON value is a string that is not empty, or a number. */
export function isScalar(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

/** What a JSON Pointer leads to, own members and elements alone; undefined if that is nothing. */
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

/** The member at a path, own members alone; the value itself for the empty path; undefined if there is none. */
export function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inside, name) => (isObject(inside) && Object.hasOwn(inside, name) ? inside[name] : undefined),
    value,
  )
}

/** Every member of an object and of the objects in it, `depth` levels down, outer ones first. Arrays are not entered. */
export function membersOf(value: unknown, depth = 2): Member[] {
  if (!isObject(value)) return []
  const own = Object.entries(value).map(([name, member]) => ({ path: [name], value: member }))
  if (depth === 0) return own
  const inner = own.flatMap(({ path, value: member }) =>
    membersOf(member, depth - 1).map((one) => ({ path: [...path, ...one.path], value: one.value })),
  )
  return [...own, ...inner]
}

/** Every string in a JSON value, the names of members included. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)])
}

/** Whether two JSON values are the same: the order of members does not count, that of arrays does. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((member, index) => sameJson(member, b[index]))
  if (!isObject(a) || !isObject(b)) return Object.is(a, b) || (a === 0 && b === 0)
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  )
}

/** A member's place as it is written in options and reports: `page.data`. */
export function written(path: Path): string {
  return path.join('.')
}
