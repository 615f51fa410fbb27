/**
 * Finds JSON members whose names are not known in advance.
 */
import { isObject } from '../protocol.ts'
import type { Names } from './names.ts'

/** Pattern for the name of a title member. */
export const TITLE = /title|label|head|(?<!type)name$/

/**
 * Certainty of a name: `given` by hand, one of `ours` (docs/spec/decisions.md), `proved` by requests to the world, or only
 * `likely` because of its meaning.
 */
export type Certainty = 'given' | 'ours' | 'proved' | 'likely'

/** Names to read bodies with, and what is known beyond names. */
export interface Known extends Names {
  /** Paths that were found before, likeliest first. They are tried before ours. */
  readonly paths?: { readonly [Key in keyof Names]?: readonly Omit<Found, 'value'>[] | undefined } | undefined
  /** Paths of ids by type, after a proof. They take precedence over those of all types. */
  readonly ids?: { readonly [type: string]: readonly Omit<Found, 'value'>[] | undefined } | undefined
  /** Types that the world declares. Their names are recognised in any member of an entity. */
  readonly declared?: readonly string[] | undefined
}

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
  /** Name reduced to its letters, in lower case, so that `next_page` and `nextPage` are equal. A `href` has that of its link. */
  readonly name: string
  readonly value: unknown
}

/** Returns the members of an object, down to a depth of `levels`, outer members first. Arrays are not searched. */
export function membersIn(root: unknown, levels = 4, around = ''): Member[] {
  const own: Member[] = Object.entries(levels && isObject(root) ? root : {}).map(([key, value]) => {
    const path = around + key
    const [last = '', link] = path.split('.').reverse()
    const name = ((last === 'href' && link) || last).replace(/[^a-z]/gi, '').toLowerCase()
    return { path, name, value }
  })
  return own.concat(own.flatMap(({ path, value }) => membersIn(value, levels - 1, `${path}.`)))
}

/**
 * Returns all suitable members, likeliest first: only the one named `key` in `names` if there is one, else those at known
 * paths, at `ours`, and under names that match the patterns, in the order of the patterns.
 */
export function candidates<T>(
  root: unknown,
  fits: (value: unknown, path: string) => value is T,
  likely: readonly RegExp[],
  names: Known = {},
  key: keyof Names = 'entity',
  ours: string = key,
  levels?: number,
): Found<T>[] {
  const found = new Map<string, Found<T>>()
  const add = (path: string, certainty: Certainty, value = valueAt(root, path)) => {
    if (!found.has(path) && fits(value, path)) found.set(path, { value, path, certainty })
  }
  const given = names[key]
  if (given !== undefined) add(given, 'given')
  else {
    for (const { path, certainty } of names.paths?.[key] ?? []) add(path, certainty)
    add(ours, 'ours')
    const members = membersIn(root, levels)
    for (const pattern of likely)
      for (const { name, path, value } of members) if (pattern.test(name)) add(path, 'likely', value)
  }
  return [...found.values()]
}

/** Returns the likeliest of the candidates, if there are any. */
export function find<T>(
  root: unknown,
  fits: (value: unknown, path: string) => value is T,
  likely: RegExp,
  ...more: [names?: Known, key?: keyof Names, ours?: string, levels?: number]
): Found<T> | undefined {
  return candidates(root, fits, [likely], ...more)[0]
}

/** Returns the value at a path such as `page.data`. Member names may contain dots. An empty path is the root itself. */
export function valueAt(root: unknown, path: string): unknown {
  if (!path) return root
  return Object(root)[path] ?? membersIn(root, path.split('.').length).find((one) => one.path === path)?.value
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

/** Reports whether a value is surely a type or an action, even outside their lists: `prefix:name` without odd characters. */
export function isPrefixed(value: unknown): value is string {
  return isFilled(value) && /^[^\s:/]+:[^\s:/]+$/.test(value)
}
