/** Compares names and codes, ignoring case, accents and punctuation. */

/** Matches words of letters, digits and the signs that distinguish `C` from `C#` and `C++`. */
const WORD = /[\p{L}\p{M}\p{N}\p{Sm}\p{Sc}#%]+/gu

/** Returns the words of `text` in lower case, without accents and apostrophes, so that `O'Hare` equals `Ohare`. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').toLowerCase()
  return plain.replace(/[\u0300-\u036f'’ʼ]/g, '').match(WORD) ?? []
}

/** Returns a predicate that matches names with the same words as one of `names`, even in the form `Austen, Jane`. */
export function sameAsAny(names: readonly string[]): (name: string) => boolean {
  const forms = new Set(names.flatMap(formsOf))
  return (name) => formsOf(name).some((form) => forms.has(form))
}

function formsOf(name: string): readonly string[] {
  const forms = new Set([name, name.replace(/^([^,]*),([^,]*)$/, '$2 $1')])
  return [...forms].map((form) => wordsOf(form).join(' ')).filter((form) => form !== '')
}

/** Splits `text` at white space and folds each part: `DAV-HDX576` becomes `davhdx576`. Dates are omitted. */
export function unitsOf(text: string): readonly string[] {
  const parts = text.split(/\s+/).filter((part) => !/^\d{1,4}([-./])\d{1,2}\1\d{1,4}$/.test(part))
  return parts.map((part) => wordsOf(part).join('')).filter((unit) => unit !== '')
}

/** Reports whether a unit is a code: 6 or more digits, or 5 or more mixed letters and digits (but not `100km`). */
export function isCode(unit: string): boolean {
  return /^\d{6,}$|^(?!\d+\p{L}+$)(?=.*\d)(?=.*\p{L}).{5,}$/u.test(unit)
}

/** Returns a function that measures a name's similarity to `text` by shared letter pairs (Dice coefficient), from 0 to 1. */
export function similarityTo(text: string): (name: string) => number {
  const pairs = /(?=(..))/g
  const pairsOf = (name: string) => new Set(Array.from(wordsOf(name).join(' ').matchAll(pairs), String))
  const asked = pairsOf(text)
  return (name) => {
    const own = pairsOf(name)
    return (2 * asked.intersection(own).size) / Math.max(1, asked.size + own.size)
  }
}
