/** Compounds: words with nothing but a joiner between them. */

/** Maximum length of a word, in UTF-16 units. Longer ones are cut: nothing like that is typed, and a row must hold many. */
export const MAX_TOKEN = 64
/** Maximum words of a compound that are joined; more are a sentence or a path, not one name. */
const MAX_PARTS = 5

/** Collects the words of one compound (`f-16`, `u.s.a`) after another. */
export class Compound {
  /** Number of words in the compound. */
  size = 0
  readonly #texts: string[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #hasDigit = false
  #longest = 0

  /** Adds the next word of the compound, `text[start, end)`. */
  add(text: string, start: number, end: number, hasDigit: boolean): void {
    this.#hasDigit ||= hasDigit
    this.#longest = Math.max(this.#longest, end - start)
    this.#texts[this.size] = text
    this.#starts[this.size] = start
    this.#ends[this.size++] = end
  }

  /** Reports whether the compound has a digit or is made of initials: written as one it is a code, which has no endings. */
  get isCode(): boolean {
    return this.#hasDigit || this.#longest === 1
  }

  /** Returns the compound written as one word; undefined if it is no compound, or too long to be written so. */
  joined(): string | undefined {
    if (this.size < 2 || this.size > MAX_PARTS) return undefined
    const texts = this.#texts.slice(0, this.size)
    const whole = texts.map((text, at) => text.slice(this.#starts[at], this.#ends[at])).join('')
    return whole.length > MAX_TOKEN ? undefined : whole
  }

  /** Begins another compound. */
  clear(): void {
    this.size = 0
    this.#hasDigit = false
    this.#longest = 0
  }
}
