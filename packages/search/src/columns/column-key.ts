/** How a column is addressed within a segment: by the type of its documents, its path, and the kind of its values. */
import type { PropertyValue } from '../port/document.ts'
import { IndexDamage } from '../port/index-damage.ts'

/** A kind of column: that of its values, or that of what is left out. */
export type ColumnKind = PropertyValue['kind']

/** The kinds in the order of their numbers, which are never given to another. */
export const KINDS = ['number', 'instant', 'boolean', 'text', 'reference', 'place', 'unindexed'] as const

/**
 * The path of the column of all references of a type, wherever they stand. Its values are texts, ascending: the key of the
 * target, a line feed, and the path.
 */
export const REFERENCES = '@'

/** The text of an entity's key in columns: types have no spaces, and ids no control characters. */
export function referenceText({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type} ${id}`
}

/** The names, from `attributes` on, whose `pathKey` was written. @throws IndexDamage where it is no list of names */
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

/** Whether values of a kind are kept as texts; else they are numbers, or pairs of them. */
export function isText(kind: ColumnKind): boolean {
  return kind === 'text' || kind === 'reference'
}

/** The key of a column in the table of columns. `type`: its place in the segment's head. */
export function columnKey(type: number, path: string, kind: ColumnKind): Uint8Array {
  const bytes = Buffer.from(`\0\0${path}\0`)
  bytes[0] = type >>> 8
  bytes[1] = type & 0xff
  bytes[bytes.length - 1] = KINDS.indexOf(kind)
  return bytes
}

/** What a key says but for the type: paths in the order of their bytes, and of one path the kinds. */
export function pathAndKind(
  key: Uint8Array,
  length: number,
): { readonly path: string; readonly kind: ColumnKind | undefined } {
  const path = Buffer.from(key.buffer, key.byteOffset + 2, length - 3).toString()
  return { path, kind: KINDS[key[length - 1] as number] }
}
