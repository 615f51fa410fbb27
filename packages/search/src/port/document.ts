/** Documents to be indexed, with their content, keys and key order. */
import { type EntityKey, isJoined, type Point, type PropertyPath, StoreFault } from '@worldwright/core/store'

export type { Point, PropertyPath } from '@worldwright/core/store'

/** Key of a document, made of its type and id. */
export type DocumentKey = EntityKey

/** Compares keys to break ties between equal scores, by type (UTF-16 order) and then by id (UTF-8 byte order). */
export function compareKeys(left: DocumentKey, right: DocumentKey): number {
  if (left.type !== right.type) return left.type < right.type ? -1 : 1
  return Buffer.compare(Buffer.from(left.id), Buffer.from(right.id))
}

/** Text of a document, by the field under which it is indexed. Any field may be empty. */
export interface DocumentText {
  readonly title: string
  /** Alternative names. Each name is also matched as a whole. */
  readonly aliases: readonly string[]
  readonly summary: string
  /** All other text. Line feeds separate unrelated strings. */
  readonly text: string
  /** Weight of each occurrence in an alias. Overrides the default weight of the field. */
  readonly aliasWeight?: number | undefined
  /** Additional texts, each with its own weight per occurrence. */
  readonly weighted?: readonly WeightedText[]
}

/** A term of a document. */
export interface DocumentTerm {
  /** The term as stored in the dictionary. */
  readonly term: string
  /** Importance of the term in the document, from 1 to 255. */
  readonly impact: number
}

/** Text weighted differently from the text field. */
export interface WeightedText {
  readonly text: string
  /** Number of occurrences in `text` that are worth as much as one occurrence here. Must be positive. */
  readonly weight: number
}

/** Values of a document, for conditions, sort orders and facets. */
export interface DocumentValues {
  /** Values in any order. Duplicates at the same path count once. `type` and `id` form the key and are not included. */
  readonly values?: readonly PropertyValue[]
}

/** A value of a document and its path. Texts must be well-formed Unicode, and numbers must be finite. */
export type PropertyValue = { /** See `pathKey`. */ readonly path: string } & (
  | { readonly kind: 'number'; readonly value: number }
  /** Milliseconds since 1970. */
  | { readonly kind: 'instant'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'reference'; readonly value: DocumentKey }
  | { readonly kind: 'place'; readonly value: Point }
  /** An unindexed value. Its path counts as present, but the value cannot be compared. */
  | { readonly kind: 'unindexed' }
)

/**
 * Returns the canonical form of a path. Equal paths have equal forms, and no form is a prefix of a different one.
 * @throws StoreFault `unsupported` for a path through a reference, since no entity has values there itself
 */
export function pathKey(path: PropertyPath): string {
  if (isJoined(path))
    throw new StoreFault(
      'unsupported',
      `The references at ${path.reference.join('.')} are not followed here.`,
    )
  return JSON.stringify(path)
}

/** Placeholder path of values that were omitted because there were too many or they were too deep. */
export const ANYWHERE = '*'

/** A document to be indexed. Its key must be unique in the index. */
export interface SearchDocument extends DocumentKey, DocumentText, DocumentValues {}
