/** Compounds, which consist of words separated only by joiners. */

/** Maximum word length, in UTF-16 code units. Longer words are truncated, so that a row holds many words. */
export const MAX_TOKEN = 64
/** Maximum number of words joined as a compound. Longer compounds are sentences or paths rather than names. */
const MAX_PARTS = 5

/** Collects the words of one compound at a time, such as `f-16` or `u.s.a`. */
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

  /** Reports whether the joined compound is a code, which is not stemmed: it has a digit or consists of initials. */
  get isCode(): boolean {
    return this.#hasDigit || this.#longest === 1
  }

  /** Joins the compound into one word. Returns undefined if there is only one word, or if the compound is too long. */
  joined(): string | undefined {
    if (this.size < 2 || this.size > MAX_PARTS) return undefined
    const texts = this.#texts.slice(0, this.size)
    const whole = texts.map((text, at) => text.slice(this.#starts[at], this.#ends[at])).join('')
    return whole.length > MAX_TOKEN ? undefined : whole
  }

  /** Starts a new compound. */
  clear(): void {
    this.size = 0
    this.#hasDigit = false
    this.#longest = 0
  }
}
