/** Edit distance: letters inserted, deleted, substituted, or two neighbours transposed (Damerau–Levenshtein). */

/** More than any distance that counts. */
export const TOO_FAR = 99

/**
 * Distances from one word to many others, which come in alphabetical order. Rows of the table for what an other word shares
 * with the one before are not computed again, and a beginning that is too far rules out all words that begin so.
 */
export class DistanceTable {
  readonly #word: ArrayLike<number>
  readonly #max: number
  /** Row n: distances from the first n letters of the other word to every prefix of this one. */
  readonly #rows: Uint8Array[]
  /** Rows up to this one are computed. */
  #computed = 0
  /** The first row in which everything is too far; beyond it nothing is computed. */
  #hopeless = TOO_FAR

  /** For a word as numbers of letters; distances above `max` do not count. */
  constructor(word: ArrayLike<number>, max: number) {
    this.#word = word
    this.#max = max
    this.#rows = Array.from({ length: word.length + max + 1 }, () => new Uint8Array(word.length + 1))
    for (let at = 0; at <= word.length; at++) (this.#rows[0] as Uint8Array)[at] = at
  }

  /** The distance to `other[0, length)`, or `TOO_FAR`. `shared`: how many letters it shares with the one before. */
  distance(other: ArrayLike<number>, length: number, shared: number): number {
    this.#computed = Math.min(this.#computed, shared)
    if (this.#hopeless > this.#computed) this.#hopeless = TOO_FAR
    if (this.#hopeless <= length || length >= this.#rows.length) return TOO_FAR
    for (let row = this.#computed + 1; row <= length; row++) {
      this.#computed = row
      if (this.#fill(other, row) > this.#max) {
        this.#hopeless = row
        return TOO_FAR
      }
    }
    const distance = (this.#rows[length] as Uint8Array)[this.#word.length] as number
    return distance <= this.#max ? distance : TOO_FAR
  }

  /** Computes a row and returns its least distance. */
  #fill(other: ArrayLike<number>, row: number): number {
    const word = this.#word
    const letter = other[row - 1]
    const before = other[row - 2]
    const above = this.#rows[row - 1] as Uint8Array
    const twoAbove = this.#rows[row - 2]
    const current = this.#rows[row] as Uint8Array
    current[0] = row
    let least = row
    for (let at = 1; at <= word.length; at++) {
      const substituted = (above[at - 1] as number) + (word[at - 1] === letter ? 0 : 1)
      let best = Math.min(substituted, (above[at] as number) + 1, (current[at - 1] as number) + 1)
      if (twoAbove && at > 1 && word[at - 2] === letter && word[at - 1] === before) {
        best = Math.min(best, (twoAbove[at - 2] as number) + 1)
      }
      current[at] = best
      if (best < least) least = best
    }
    return least
  }
}

const ENGLISH_LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const PLAIN_WORD = /^[a-z]+$/

/** Words one edit away that begin with another letter, sorted: few enough to look up one by one. */
export function otherFirstLetters(word: string): string[] {
  const [first = '', second = '', ...rest] = word
  const tail = second + rest.join('')
  const letters = PLAIN_WORD.test(word) ? ENGLISH_LETTERS : ''
  const found = new Set([tail, second + first + rest.join('')])
  for (const letter of letters) found.add(letter + tail).add(letter + word)
  return [...found].filter((other) => other !== word && !other.startsWith(first)).sort()
}
