/** Edit distance: insertions, deletions, substitutions and transpositions of neighbors (Damerau–Levenshtein). */

/**
 * Distances from one word to others, which must arrive in alphabetical order. Rows of the prefix shared with the previous
 * word are reused, and a prefix that is too far away rules out all words that begin with it.
 */
export class DistanceTable {
  readonly #word: readonly number[]
  readonly #max: number
  /** Distinct letters of the word in ascending order. */
  readonly #alphabet: readonly number[]
  /** Row n contains the distances from the first n letters of the latest word to every prefix of `#word`. */
  readonly #rows: Uint8Array[]
  /** Letters of the latest word, as far as their rows have been computed. */
  readonly #letters: number[] = []

  /** Creates a table for a word, given as code points. Distances above `max` count as too far. */
  constructor(word: readonly number[], max: number) {
    this.#word = word
    this.#max = max
    this.#alphabet = [...new Set(word)].sort((left, right) => left - right)
    this.#rows = Array.from({ length: word.length + max + 1 }, () => new Uint8Array(word.length + 1))
    for (let at = 0; at <= word.length; at++) (this.#rows[0] as Uint8Array)[at] = at
  }

  /** Takes the next word, `letters[0, length)`. Returns false if some prefix of it is already too far away. */
  take(letters: ArrayLike<number>, length: number): boolean {
    const known = this.#letters
    let at = 0
    while (at < known.length && at < length && known[at] === letters[at]) at += 1
    known.length = at
    for (; at < length; at++) if (!this.#put(letters[at] as number)) return false
    return true
  }

  /** Distance of the latest word, or a value above `max` if that word is too far away. */
  get distance(): number {
    return (this.#rows[this.#letters.length] as Uint8Array)[this.#word.length] as number
  }

  /** After `take` has returned false, returns the next prefix that a near word may have, or undefined if there is none. */
  next(): readonly number[] | undefined {
    const letters = this.#letters
    while (letters.length > 1) {
      const following = (letters.pop() as number) + 1
      if (this.#put(following)) return letters
      letters.pop()
      // Letters absent from the word are all equally far away, so only letters of the word can be nearer.
      for (const letter of this.#alphabet) {
        if (letter <= following) continue
        if (this.#put(letter)) return letters
        letters.pop()
      }
    }
    return undefined
  }

  /** Adds a letter and computes its row. Returns false if every distance in the row is too large. */
  #put(letter: number): boolean {
    this.#letters.push(letter)
    const row = this.#letters.length
    return row < this.#rows.length && this.#fill(row) <= this.#max
  }

  /** Computes a row and returns its smallest distance. */
  #fill(row: number): number {
    const word = this.#word
    const letter = this.#letters[row - 1]
    const before = this.#letters[row - 2]
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

/** Returns the strings one edit from `word` that begin with a different letter, sorted. There are few enough to look up. */
export function otherFirstLetters(word: string): string[] {
  const [first = '', second = '', ...rest] = word
  const tail = second + rest.join('')
  const letters = PLAIN_WORD.test(word) ? ENGLISH_LETTERS : ''
  const found = new Set([tail, second + first + rest.join('')])
  for (const letter of letters) found.add(letter + tail).add(letter + word)
  return [...found].filter((other) => other !== word && !other.startsWith(first)).sort()
}
