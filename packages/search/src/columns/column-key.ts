/** Column keys within a segment, made of the document type, the path, and the kind of values. */
import type { PropertyValue } from '../port/document.ts'
import { IndexDamage } from '../port/index-damage.ts'

/** Kind of a column's values. `unindexed` is the kind of omitted values. */
export type ColumnKind = PropertyValue['kind']

/** Kinds, indexed by number. Numbers are never reused. */
export const KINDS = ['number', 'instant', 'boolean', 'text', 'reference', 'place', 'unindexed'] as const

/**
 * Path of the column that contains all references of a type, regardless of their paths. Its values are texts in ascending
 * order, each made of the target's key, a line feed, and the path.
 */
export const REFERENCES = '@'

/** Returns an entity's key as an unambiguous string: types contain no spaces, and ids no control characters. */
export function referenceText({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type} ${id}`
}

/** Returns the attribute names in a `pathKey`. @throws IndexDamage if the key is not a list of names */
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

/** Reports whether values of a kind are stored as text, rather than as numbers or pairs of numbers. */
export function isText(kind: ColumnKind): boolean {
  return kind === 'text' || kind === 'reference'
}

/** Returns a column's key in the column table. `type` is the index of the type in the segment's head. */
export function columnKey(type: number, path: string, kind: ColumnKind): Uint8Array {
  const bytes = Buffer.from(`\0\0${path}\0`)
  bytes[0] = type >>> 8
  bytes[1] = type & 0xff
  bytes[bytes.length - 1] = KINDS.indexOf(kind)
  return bytes
}

/** Returns the path and kind in a key. The keys of a type sort by path in byte order, then by kind. */
export function pathAndKind(
  key: Uint8Array,
  length: number,
): { readonly path: string; readonly kind: ColumnKind | undefined } {
  const path = Buffer.from(key.buffer, key.byteOffset + 2, length - 3).toString()
  return { path, kind: KINDS[key[length - 1] as number] }
}
