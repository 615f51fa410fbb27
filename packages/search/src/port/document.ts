/** What is indexed: documents, how they are addressed, and their order. */
import type { EntityKey, Point, PropertyPath } from '@worldwright/core/store'

export type { Point, PropertyPath } from '@worldwright/core/store'

/** How a document is addressed. */
export type DocumentKey = EntityKey

/** The order of hits with equal scores: by type (UTF-16 units), then by id in UTF-8 byte order. */
export function compareKeys(left: DocumentKey, right: DocumentKey): number {
  if (left.type !== right.type) return left.type < right.type ? -1 : 1
  return Buffer.compare(Buffer.from(left.id), Buffer.from(right.id))
}

/** The texts of a document, by the field they count for. Any of them may be empty. */
export interface DocumentText {
  readonly title: string
  /** Other names, each of which is matched as a whole as well. */
  readonly aliases: readonly string[]
  readonly summary: string
  /** All other text; strings that do not belong together are separated by line feeds. */
  readonly text: string
  /** What an occurrence in an alias is worth, instead of the field's own weight. */
  readonly aliasWeight?: number | undefined
  /** Further text, in which an occurrence counts as often as `weight` says. */
  readonly weighted?: readonly WeightedText[]
}

/** A term of a document. */
export interface DocumentTerm {
  /** As the dictionary has it. */
  readonly term: string
  /** How well it describes the document: 1 to 255. */
  readonly impact: number
}

/** Text that counts more, or less, than other text. */
export interface WeightedText {
  readonly text: string
  /** How many occurrences in `text` one of these is worth. More than 0. */
  readonly weight: number
}

/** The values of a document that conditions, orders and facets look at. */
export interface DocumentValues {
  /** In any order; of equal ones at a path one counts. `type` and `id` are not among them: they are the key. Absent: none. */
  readonly values?: readonly PropertyValue[]
}

/** A value of a document, where it stands. Texts are well-formed Unicode, numbers finite. */
export type PropertyValue = { /** See `pathKey`. */ readonly path: string } & (
  | { readonly kind: 'number'; readonly value: number }
  /** Milliseconds since 1970. */
  | { readonly kind: 'instant'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'reference'; readonly value: DocumentKey }
  | { readonly kind: 'place'; readonly value: Point }
  /** Something that is not kept: the path has a value, and it can be compared with nothing. */
  | { readonly kind: 'unindexed' }
)

/** A path as text: equal ones are equal texts, and none is the beginning of another. */
export function pathKey(path: PropertyPath): string {
  return JSON.stringify(path)
}

/** In place of a path: values of the document were left out, of which nobody says where: there were too many, or too deep. */
export const ANYWHERE = '*'

/** A document to be indexed. Its key occurs once in an index. */
export interface SearchDocument extends DocumentKey, DocumentText, DocumentValues {}
