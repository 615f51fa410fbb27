/** Documents to be indexed: their content, their keys and their order. */
import type { EntityKey, Point, PropertyPath } from '@worldwright/core/store'

export type { Point, PropertyPath } from '@worldwright/core/store'

/** Key of a document: its type and id. */
export type DocumentKey = EntityKey

/** Orders hits with equal scores: by type (UTF-16 units), then by id in UTF-8 byte order. */
export function compareKeys(left: DocumentKey, right: DocumentKey): number {
  if (left.type !== right.type) return left.type < right.type ? -1 : 1
  return Buffer.compare(Buffer.from(left.id), Buffer.from(right.id))
}

/** Texts of a document, by the field for which they count. Any of them may be empty. */
export interface DocumentText {
  readonly title: string
  /** Other names, each of which is also matched as a whole. */
  readonly aliases: readonly string[]
  readonly summary: string
  /** All other text; unrelated strings are separated by line feeds. */
  readonly text: string
  /** Weight of an occurrence in an alias, instead of the field's own weight. */
  readonly aliasWeight?: number | undefined
  /** Further text, in which an occurrence counts `weight` times. */
  readonly weighted?: readonly WeightedText[]
}

/** A term of a document. */
export interface DocumentTerm {
  /** The term as it is in the dictionary. */
  readonly term: string
  /** Degree to which it describes the document: 1 to 255. */
  readonly impact: number
}

/** Text that counts more or less than other text. */
export interface WeightedText {
  readonly text: string
  /** Number of occurrences in `text` that one of these is worth; more than 0. */
  readonly weight: number
}

/** Values of a document for conditions, orders and facets. */
export interface DocumentValues {
  /** In any order; equal values at a path count once. `type` and `id` are not among them: they are the key. Absent: none. */
  readonly values?: readonly PropertyValue[]
}

/** A value of a document and its path. Texts are well-formed Unicode, numbers finite. */
export type PropertyValue = { /** See `pathKey`. */ readonly path: string } & (
  | { readonly kind: 'number'; readonly value: number }
  /** Milliseconds since 1970. */
  | { readonly kind: 'instant'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'reference'; readonly value: DocumentKey }
  | { readonly kind: 'place'; readonly value: Point }
  /** A value that is not kept: the path has a value, but it compares with nothing. */
  | { readonly kind: 'unindexed' }
)

/** Returns the canonical form of a path: equal paths give equal texts, and none is a prefix of another. */
export function pathKey(path: PropertyPath): string {
  return JSON.stringify(path)
}

/** In place of a path: values of the document were left out at unknown paths, as there were too many or they were too deep. */
export const ANYWHERE = '*'

/** A document to be indexed. Its key occurs once in an index. */
export interface SearchDocument extends DocumentKey, DocumentText, DocumentValues {}
