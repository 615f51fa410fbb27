/** Edit distance: letters added, left out, replaced, or two neighbours exchanged. */

/** One edit is forgiven from this many letters: with fewer, most words would be each other's errors. */
export const ONE_EDIT_FROM = 4
/** Two edits are forgiven from this many letters. */
export const TWO_EDITS_FROM = 8

/** How many edits a word of this many letters may be away from what was meant. */
export function editsAllowed(letters: number): number {
  return letters >= TWO_EDITS_FROM ? 2 : letters >= ONE_EDIT_FROM ? 1 : 0
}

/** More than any distance that counts. */
export const FAR = 99

/**
 * Distances from one word to many that come in alphabetical order. What neighbours share is not computed again, and a
 * beginning that is too far already rules out all that begin so.
 */
export class Distances {
  readonly #word: ArrayLike<number>
  readonly #max: number
  /** Row n: distances from the first n letters of the other word to every beginning of this one. */
  readonly #rows: Uint8Array[]
  /** Rows up to here are right. */
  #right = 0
  /** The first row in which everything is too far; beyond it nothing is computed. */
  #hopeless = FAR

  /** For words of letters as numbers, up to `max` edits. */
  constructor(word: ArrayLike<number>, max: number) {
    this.#word = word
    this.#max = max
    this.#rows = Array.from({ length: word.length + max + 1 }, () => new Uint8Array(word.length + 1))
    for (let at = 0; at <= word.length; at++) (this.#rows[0] as Uint8Array)[at] = at
  }

  /** The distance to `other[0, length)`, `FAR` beyond the maximum. `shared`: letters it shares with the one before. */
  to(other: ArrayLike<number>, length: number, shared: number): number {
    this.#right = Math.min(this.#right, shared)
    if (this.#hopeless > this.#right) this.#hopeless = FAR
    if (this.#hopeless <= length || length >= this.#rows.length) return FAR
    for (let row = this.#right + 1; row <= length; row++) {
      this.#right = row
      if (this.#fill(other, row) > this.#max) {
        this.#hopeless = row
        return FAR
      }
    }
    const distance = (this.#rows[length] as Uint8Array)[this.#word.length] as number
    return distance <= this.#max ? distance : FAR
  }

  /** Computes a row and gives its least distance. */
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
      const replaced = (above[at - 1] as number) + (word[at - 1] === letter ? 0 : 1)
      let best = Math.min(replaced, (above[at] as number) + 1, (current[at - 1] as number) + 1)
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

/** Words one edit away whose first letter is another: rare among errors, and few enough to look up one by one. */
export function otherBeginnings(word: string): string[] {
  const [first = '', second = '', ...rest] = word
  const tail = second + rest.join('')
  const letters = PLAIN_WORD.test(word) ? ENGLISH_LETTERS : ''
  const found = new Set([tail, second + first + rest.join('')])
  for (const letter of letters) found.add(letter + tail).add(letter + word)
  return [...found].filter((other) => other !== word && !other.startsWith(first)).sort()
}
