/** Edit distance: letters inserted, deleted, substituted, or two neighbours transposed (Damerau–Levenshtein). */

/**
 * Distances from one word to others that come in alphabetical order, letter by letter. A prefix that a word shares with the one
 * before is not computed again, and a prefix that is too far rules out all words that begin with it.
 */
export class DistanceTable {
  readonly #word: readonly number[]
  readonly #max: number
  /** Distinct letters of the word, ascending. */
  readonly #alphabet: readonly number[]
  /** Row n: distances from the first n letters of the other word to every prefix of this one. */
  readonly #rows: Uint8Array[]
  /** Letters of the other word whose rows are computed. */
  readonly #letters: number[] = []

  /** Takes a word as code points; distances above `max` do not count. */
  constructor(word: readonly number[], max: number) {
    this.#word = word
    this.#max = max
    this.#alphabet = [...new Set(word)].sort((left, right) => left - right)
    this.#rows = Array.from({ length: word.length + max + 1 }, () => new Uint8Array(word.length + 1))
    for (let at = 0; at <= word.length; at++) (this.#rows[0] as Uint8Array)[at] = at
  }

  /** Takes the next other word, `letters[0, length)`. Returns false if no word with the prefix examined is near. */
  take(letters: ArrayLike<number>, length: number): boolean {
    const known = this.#letters
    let at = 0
    while (at < known.length && at < length && known[at] === letters[at]) at += 1
    known.length = at
    for (; at < length; at++) if (!this.#put(letters[at] as number)) return false
    return true
  }

  /** Distance of the word that was taken; more than `max` if it is too far. */
  get distance(): number {
    return (this.#rows[this.#letters.length] as Uint8Array)[this.#word.length] as number
  }

  /** Returns, after `take` gave false, the next prefix in alphabetical order that a near word may have. */
  next(): readonly number[] | undefined {
    const letters = this.#letters
    while (letters.length > 1) {
      const following = (letters.pop() as number) + 1
      if (this.#put(following)) return letters
      letters.pop()
      // Letters that the word does not have are all equally far: only its own are nearer.
      for (const letter of this.#alphabet) {
        if (letter <= following) continue
        if (this.#put(letter)) return letters
        letters.pop()
      }
    }
    return undefined
  }

  /** Adds a letter and computes its row. Returns false if everything in it is too far. */
  #put(letter: number): boolean {
    this.#letters.push(letter)
    const row = this.#letters.length
    return row < this.#rows.length && this.#fill(row) <= this.#max
  }

  /** Computes a row and returns its least distance. */
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

/** Returns words one edit away that begin with another letter, sorted: few enough to look up one by one. */
export function otherFirstLetters(word: string): string[] {
  const [first = '', second = '', ...rest] = word
  const tail = second + rest.join('')
  const letters = PLAIN_WORD.test(word) ? ENGLISH_LETTERS : ''
  const found = new Set([tail, second + first + rest.join('')])
  for (const letter of letters) found.add(letter + tail).add(letter + word)
  return [...found].filter((other) => other !== word && !other.startsWith(first)).sort()
}
