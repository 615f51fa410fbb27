/** Index terms that are no words: keys that begin with a control character. */

/** First character of the term that every document of a type has. */
const TYPE = '\u0004'
/** First character of the term of a superlative, which is in no index. */
const SUPERLATIVE = '\u0005'

/** Returns the term of a type's documents. */
export function typeTerm(type: string): string {
  return TYPE + type
}

/** Returns the type whose documents have a term, or undefined for any other term. */
export function typeOfTerm(term: string): string | undefined {
  return term.startsWith(TYPE) ? term.slice(TYPE.length) : undefined
}

/** Returns the term of the documents that hold a superlative. */
export function superlativeTerm(term = ''): string {
  return SUPERLATIVE + term
}

/** Reports whether a term is a word. */
export function isWord(term: string): boolean {
  return term > `${SUPERLATIVE}\uffff`
}
