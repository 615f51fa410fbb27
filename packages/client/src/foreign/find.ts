/**
 * Search for members in JSON whose names are not known beforehand.
 */
import { isObject } from '../protocol.ts'

/** Pattern of the names that a title may have. */
export const TITLE = /title|label|head|(?<!type)name$/

/** Certainty of a name: `given` by hand, one of `ours` (docs/spec/decisions.md), or `likely` from its meaning. */
export type Certainty = 'given' | 'ours' | 'likely'

/** A value that was found, with its path. */
export interface Found<T = unknown> {
  readonly value: T
  /** Member names from the root, separated by dots; empty for the root itself. */
  readonly path: string
  readonly certainty: Certainty
}

/** One member of an object, or of an object within it. */
export interface Member {
  readonly path: string
  /** Its letters alone, in lower case: `next_page` and `nextPage` are equal. */
  readonly name: string
  readonly value: unknown
}

/** Returns the members of an object down to `levels`, outer ones before those within them. Arrays are not entered. */
export function membersIn(root: unknown, levels = 4, around = ''): Member[] {
  const own: Member[] = Object.entries(levels && isObject(root) ? root : {}).map(([key, value]) => ({
    path: around + key,
    name: key.replace(/[^a-z]/gi, '').toLowerCase(),
    value,
  }))
  return own.concat(own.flatMap(({ path, value }) => membersIn(value, levels - 1, `${path}.`)))
}

/** Finds a value that fits: at the path `given` only; else at `ours`; else the first with a `likely` name. */
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

/** Returns the value at a path such as `page.data`, also for names with dots; the root itself for an empty path. */
export function valueAt(root: unknown, path: string): unknown {
  if (!path) return root
  return Object(root)[path] ?? membersIn(root, path.split('.').length).find((one) => one.path === path)?.value
}

/** Reports whether a value has values within it: an object or an array. */
export function isBranch(value: unknown): value is object {
  return Object(value) === value
}

/** Reports whether a value can identify something: a non-empty string, or a number. */
export function isKey(value: unknown): value is string | number {
  return typeof value === 'number' || isFilled(value)
}

/** Reports whether a value is a non-empty string. */
export function isFilled(value: unknown): value is string {
  return !!value && typeof value === 'string'
}

/** Reports whether a value is a non-empty string other than a name with a prefix. */
export function isWords(value: unknown): value is string {
  return isFilled(value) && !isPrefixed(value)
}

/** Reports whether a value can be an entity type or an action: `prefix:name`. */
export function isPrefixed(value: unknown): value is string {
  return isFilled(value) && /^[^\s:/]+:[^\s:/]+$/.test(value)
}
