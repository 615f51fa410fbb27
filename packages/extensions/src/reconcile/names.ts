/** Names and codes, compared without case, accents and punctuation. */

/** Letters and digits, and the signs that distinguish `C` from `C#` and `C++`. */
const WORD = /[\p{L}\p{M}\p{N}\p{Sm}\p{Sc}#%]+/gu

/** Returns the words of a text without accents and apostrophes, so that `O'Hare` equals `Ohare`. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').toLowerCase()
  return plain.replace(/[\u0300-\u036f'’ʼ]/g, '').match(WORD) ?? []
}

/** Makes a test for any of these names: the same words in the same order, or swapped at the only comma (`Austen, Jane`). */
export function sameAsAny(names: readonly string[]): (name: string) => boolean {
  const forms = new Set(names.flatMap(formsOf))
  return (name) => formsOf(name).some((form) => forms.has(form))
}

function formsOf(name: string): readonly string[] {
  const forms = new Set([name, name.replace(/^([^,]*),([^,]*)$/, '$2 $1')])
  return [...forms].map((form) => wordsOf(form).join(' ')).filter((form) => form !== '')
}

/** Returns the parts between white space, folded and joined: `DAV-HDX576` is `davhdx576`. Omits dates. */
export function unitsOf(text: string): readonly string[] {
  const parts = text.split(/\s+/).filter((part) => !/^\d{1,4}([-./])\d{1,2}\1\d{1,4}$/.test(part))
  return parts.map((part) => wordsOf(part).join('')).filter((unit) => unit !== '')
}

/** Reports whether a unit is a distinguishing code: six digits, or five letters and digits that are no number with its unit. */
export function isCode(unit: string): boolean {
  return /^\d{6,}$|^(?!\d+\p{L}+$)(?=.*\d)(?=.*\p{L}).{5,}$/u.test(unit)
}

/** Makes a measure of similarity to a text, by the letter pairs that both have (Dice), from 0 to 1. */
export function similarityTo(text: string): (name: string) => number {
  const pairs = /(?=(..))/g
  const pairsOf = (name: string) => new Set(Array.from(wordsOf(name).join(' ').matchAll(pairs), String))
  const asked = pairsOf(text)
  return (name) => {
    const own = pairsOf(name)
    return (2 * asked.intersection(own).size) / Math.max(1, asked.size + own.size)
  }
}
