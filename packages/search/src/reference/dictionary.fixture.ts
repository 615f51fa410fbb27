/** A naive index dictionary built from maps. */

import type { SearchDocument } from '../port/document.ts'
import type { Expansions } from './expansions.fixture.ts'
import type { Analysis } from './plain-analysis.fixture.ts'

/** A document with its analysis, compared by identity. */
export interface Indexed extends Analysis {
  readonly document: SearchDocument
}

/** All terms, with the documents that contain them. */
export interface Dictionary {
  documents: number
  readonly terms: Map<string, Indexed[]>
  /** Document frequency of each spelling. A spelling is a surface form that differs from its stem. */
  readonly spellings: Map<string, number>
  /** Documents by `normalizedName`. */
  readonly named: Map<string, Indexed[]>
}

/** Builds the dictionary of these documents. */
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

/** Returns the number of documents that contain a term. */
export function countOf({ terms }: Dictionary, term: string): number {
  return terms.get(term)?.length ?? 0
}

function listed(lists: Map<string, Indexed[]>, key: string): Indexed[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

/** Returns the weight of expansions, which together occur in at most all documents. */
export function weightOf(each: Expansions, dictionary: Dictionary): number {
  const counts = [...each.keys()].map((phrase) =>
    Math.min(...phrase.split(' ').map((term) => countOf(dictionary, term))),
  )
  return rarityOf(
    dictionary,
    counts.reduce((sum, held) => sum + held, 0),
  )
}

/** Returns the weight of what this many of the documents hold. */
export function rarityOf({ documents }: Dictionary, holding: number): number {
  const held = Math.min(holding, documents)
  return Math.max(1, Math.round(64 * Math.log(1 + (documents - held + 0.5) / (held + 0.5))))
}
