/**
 * Finding members in JSON whose names are not known beforehand.
 */
import { isObject } from '../protocol.ts'

/** What a title is called. */
export const TITLE = /title|label|head|(?<!type)name$/

/** How sure a name is: `given` by hand, one of `ours` (docs/spec/decisions.md), or `likely` from what it says. */
export type Certainty = 'given' | 'ours' | 'likely'

/** A value that was found, and where. */
export interface Found<T = unknown> {
  readonly value: T
  /** Member names from the root, with dots between them; empty for the root itself. */
  readonly path: string
  readonly certainty: Certainty
}

/** One member of an object, or of an object within it. */
export interface Member {
  readonly path: string
  /** In lower-case letters alone: `next_page` and `nextPage` are one. */
  readonly name: string
  readonly value: unknown
}

/** The members of an object down to `levels`, those of an object before those within it. Arrays are not entered. */
export function membersIn(root: unknown, levels = 4, around = ''): Member[] {
  const own: Member[] = Object.entries(levels && isObject(root) ? root : {}).map(([key, value]) => ({
    path: around + key,
    name: key.replace(/[^a-z]/gi, '').toLowerCase(),
    value,
  }))
  return own.concat(own.flatMap(({ path, value }) => membersIn(value, levels - 1, `${path}.`)))
}

/** Finds a value that fits: at the path `given` and nowhere else; else at `ours`; else the first of a `likely` name. */
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

/** What stands at a path such as `page.data`, also of names with dots; the root itself at an empty one. */
export function valueAt(root: unknown, path: string): unknown {
  if (!path) return root
  return Object(root)[path] ?? membersIn(root, path.split('.').length).find((one) => one.path === path)?.value
}

/** Whether a value has values within: an object or an array. */
export function isBranch(value: unknown): value is object {
  return Object(value) === value
}

/** Whether a value can identify something: a text that says something, or a number. */
export function isKey(value: unknown): value is string | number {
  return typeof value === 'number' || isFilled(value)
}

/** Whether a value is a text that says something. */
export function isFilled(value: unknown): value is string {
  return !!value && typeof value === 'string'
}

/** Whether a value is a text that says something, and is no name with a prefix. */
export function isWords(value: unknown): value is string {
  return isFilled(value) && !isPrefixed(value)
}

/** Whether a value can be an entity type or an action: `prefix:name`. */
export function isPrefixed(value: unknown): value is string {
  return isFilled(value) && /^[^\s:/]+:[^\s:/]+$/.test(value)
}
