/** Addresses of columns within a segment: the type of the documents, the path, and the kind of the values. */
import type { PropertyValue } from '../port/document.ts'
import { IndexDamage } from '../port/index-damage.ts'

/** Kind of a column: that of its values, or `unindexed` for values that are left out. */
export type ColumnKind = PropertyValue['kind']

/** Kinds in the order of their numbers. A number is never reused. */
export const KINDS = ['number', 'instant', 'boolean', 'text', 'reference', 'place', 'unindexed'] as const

/**
 * Path of the column of all references of a type, at any path. Its values are texts, ascending: the key of the target, a line
 * feed, and the path.
 */
export const REFERENCES = '@'

/** Returns the text of an entity's key in columns: types have no spaces, and ids no control characters. */
export function referenceText({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type} ${id}`
}

/** Returns the names, from `attributes` on, of which a `pathKey` was made. @throws IndexDamage if it is not a list of names */
export function namesFromKey(key: string): readonly string[] {
  const path = parsed(key)
  const isPath = Array.isArray(path) && path.length > 0 && path.every((name) => typeof name === 'string')
  if (!isPath) throw new IndexDamage('A path in the search index is not what was written.')
  return path
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Reports whether values of a kind are stored as texts; otherwise they are numbers or pairs of numbers. */
export function isText(kind: ColumnKind): boolean {
  return kind === 'text' || kind === 'reference'
}

/** Returns the key of a column in the table of columns. `type`: its index in the segment's head. */
export function columnKey(type: number, path: string, kind: ColumnKind): Uint8Array {
  const bytes = Buffer.from(`\0\0${path}\0`)
  bytes[0] = type >>> 8
  bytes[1] = type & 0xff
  bytes[bytes.length - 1] = KINDS.indexOf(kind)
  return bytes
}

/** Returns the path and kind in a key. Keys of a type sort by path, in byte order, and then by kind. */
export function pathAndKind(
  key: Uint8Array,
  length: number,
): { readonly path: string; readonly kind: ColumnKind | undefined } {
  const path = Buffer.from(key.buffer, key.byteOffset + 2, length - 3).toString()
  return { path, kind: KINDS[key[length - 1] as number] }
}
