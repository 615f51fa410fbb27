/** Compounds: words with nothing but a joiner between them. */

/** Longer words are cut: nobody types them, and a row of the dictionary must hold many. In UTF-16 units. */
export const MAX_TOKEN = 64
/** Words of a compound that are joined at most; more are a sentence or a path, not one name. */
const MAX_PARTS = 5

/** Collects the words of one compound (`f-16`, `u.s.a`) after another. */
export class Compound {
  /** How many words the compound has. */
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

  /** Holds a digit, or is made of initials: written as one it is a code, which has no endings. */
  get isCode(): boolean {
    return this.#hasDigit || this.#longest === 1
  }

  /** The compound written as one word; undefined if it is no compound, or nobody would write it so. */
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
