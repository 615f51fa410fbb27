/**
 * Finds JSON members whose names are not known in advance.
 */
import { isObject as isAnyObject, type JsonObject } from '../protocol.ts'

/** Pattern for the name of a title member. */
export const TITLE = /title|label|head|(?<!type)name$/

/** Certainty of a name: `given` by hand, one of `ours` (docs/spec/decisions.md), or `likely` because of its meaning. */
export type Certainty = 'given' | 'ours' | 'likely'

/** A value and the path at which it was found. */
export interface Found<T = unknown> {
  readonly value: T
  /** Member names from the root, separated by dots; empty for the root itself. */
  readonly path: string
  readonly certainty: Certainty
}

/** A member of an object or of a nested object. */
export interface Member {
  readonly path: string
  /** Name reduced to its letters, in lower case, so that `next_page` and `nextPage` are equal. */
  readonly name: string
  readonly value: unknown
}

/** Returns the members of an object, down to a depth of `levels`, outer members first. Arrays are not searched. */
export function membersIn(root: unknown, levels = 4, around = ''): Member[] {
  const own: Member[] = Object.entries(levels && isObject(root) ? root : {}).map(([key, value]) => ({
    path: around + key,
    name: key.replace(/[^a-z]/gi, '').toLowerCase(),
    value,
  }))
  return own.concat(own.flatMap(({ path, value }) => membersIn(value, levels - 1, `${path}.`)))
}

/** Finds a suitable value: only at `given` if it is set, else at `ours`, else the first under a `likely` name. */
export function find<T>(
  root: unknown,
  fits: (value: unknown) => value is T,
  likely: RegExp,
  ours: string,
  given?: string,
  levels?: number,
): Found<T> | undefined {
  const path = given ?? ours
  const value = valueAt(root, path)
  if (fits(value)) return { value, path, certainty: given === undefined ? 'ours' : 'given' }
  const found = membersIn(root, given === undefined ? levels : 0).find(
    (one) => likely.test(one.name) && fits(one.value),
  )
  return found && { value: found.value as T, path: found.path, certainty: 'likely' }
}

/** Returns the value at a path such as `page.data`. Member names may contain dots. An empty path is the root itself. */
export function valueAt(root: unknown, path: string): unknown {
  if (!path) return root
  return Object(root)[path] ?? membersIn(root, path.split('.').length).find((one) => one.path === path)?.value
}

/** Reports whether a value is an object other than an array, null or an `ExactNumber`. */
export function isObject(value: unknown): value is JsonObject {
  return isAnyObject(value) && !(value instanceof Number)
}

/** Reports whether a value is an object or an array. */
export function isBranch(value: unknown): value is object {
  return isObject(value) || Array.isArray(value)
}

/** Reports whether a value can be an id or a cursor: a non-empty string, or a number. */
export function isKey(value: unknown): value is string | number {
  return typeof value === 'number' || value instanceof Number || isFilled(value)
}

/** Reports whether a value is a non-empty string. */
export function isFilled(value: unknown): value is string {
  return !!value && typeof value === 'string'
}

/** Reports whether a value is a non-empty string but not a prefixed name. */
export function isWords(value: unknown): value is string {
  return isFilled(value) && !isPrefixed(value)
}

/** Reports whether a value has the form of an entity type or action name: `prefix:name`. */
export function isPrefixed(value: unknown): value is string {
  return isFilled(value) && /^[^\s:/]+:[^\s:/]+$/.test(value)
}
