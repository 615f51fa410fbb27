/** A plain version of the dictionary of an index, with maps. */
import type { SearchDocument } from '../port/document.ts'
import type { Analysis } from './plain-analysis.fixture.ts'

/** A document with its analysis. It is compared by identity. */
export interface Indexed extends Analysis {
  readonly document: SearchDocument
}

/** All words, with the documents that hold them. */
export interface Dictionary {
  documents: number
  readonly terms: Map<string, Indexed[]>
  /** Number of documents that hold each spelling: a word as written that is not its own stem. */
  readonly spellings: Map<string, number>
  /** Documents by their names (`normalizedName`). */
  readonly named: Map<string, Indexed[]>
}

/** Makes the dictionary of some documents. */
export function dictionaryOf(documents: Iterable<Indexed>): Dictionary {
  const dictionary: Dictionary = { documents: 0, terms: new Map(), spellings: new Map(), named: new Map() }
  for (const indexed of documents) {
    dictionary.documents += 1
    for (const term of indexed.impacts.keys()) listed(dictionary.terms, term).push(indexed)
    for (const name of indexed.names.keys()) listed(dictionary.named, name).push(indexed)
    for (const word of indexed.spellings) {
      dictionary.spellings.set(word, (dictionary.spellings.get(word) ?? 0) + 1)
    }
  }
  return dictionary
}

function listed(lists: Map<string, Indexed[]>, key: string): Indexed[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
