/** What is indexed: documents, their order, and their names. */

import { scan } from '../text/tokens.ts'

/** How a document is addressed. Ascending by type, then by id in UTF-8 byte order, is the order of ties. */
export interface DocumentKey {
  readonly type: string
  readonly id: string
}

/** The order of ties. */
export function compareKeys(left: DocumentKey, right: DocumentKey): number {
  if (left.type !== right.type) return left.type < right.type ? -1 : 1
  return Buffer.compare(Buffer.from(left.id), Buffer.from(right.id))
}

/** The texts of a document, by how much a match in them says. */
export interface DocumentText {
  readonly title: string
  /** Other names of it. */
  readonly aliases: readonly string[]
  readonly summary: string
  /** Everything else; strings that are not one text are apart by line feeds. */
  readonly text: string
  /** What an occurrence in an alias is worth, where it is not what it is by itself. */
  readonly aliasWeight?: number | undefined
  /** Further text, of which an occurrence is worth as much as so many in `text`. */
  readonly weighted?: readonly WeightedText[]
}

/** Text that counts more, or less, than other text. */
export interface WeightedText {
  readonly text: string
  /** More than 0. */
  readonly weight: number
}

/** One thing to be found. */
export interface SearchDocument extends DocumentKey, DocumentText {}

/** How directly a question that is one of a document's names means the document. */
export const ExactRank = { alias: 1, title: 2, id: 3 } as const

/** The words of a name as written, folded, in order: what two texts share when they are the same name. */
export function titleParts(text: string): string[] {
  const parts: string[] = []
  scan(text, {
    word: (words, start, end) => parts.push(words.slice(start, end)),
    run: (run) => parts.push(run),
    tail() {},
  })
  return parts
}

/** The `titleParts` of a text as one key. */
export function titleKey(text: string): string {
  return titleParts(text).join(' ')
}
