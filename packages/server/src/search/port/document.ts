/** What is indexed: documents, how they are addressed, and their order. */

/** How a document is addressed. */
export interface DocumentKey {
  readonly type: string
  readonly id: string
}

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

/** Text that counts more, or less, than other text. */
export interface WeightedText {
  readonly text: string
  /** How many occurrences in `text` one of these is worth. More than 0. */
  readonly weight: number
}

/** A document to be indexed. Its key occurs once in an index. */
export interface SearchDocument extends DocumentKey, DocumentText {}
