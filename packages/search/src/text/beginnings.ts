/** Prefix search for titles. The dictionary contains the first letters of each title. */
import { classOf, HIGH_SURROGATE } from './characters.ts'
import { withPart } from './names.ts'

/** First character of a title-prefix key. No word begins with it. */
const MARK = '\u0003'
/** Maximum length of the prefix in a key, in UTF-16 code units. Few titles share a longer prefix. */
const KEPT = 8
/** Minimum prefix length, in UTF-16 code units. Shorter prefixes are often words, and too many titles share them. */
const SHORTEST = 4

/** Returns the key of a title prefix, or undefined if it is too short. `name` is a `normalizedName` or a prefix of one. */
export function beginningKey(name: string): string | undefined {
  return name.length < SHORTEST ? undefined : MARK + beginningOf(name)
}

/** Reports whether `name` fits completely into a title-prefix key. */
export function isWithinKey(name: string): boolean {
  return name.length <= KEPT
}

/** Truncates a name to the length of a key without splitting a surrogate pair. */
function beginningOf(name: string): string {
  const isHalf = classOf(name.charCodeAt(KEPT - 1)) === HIGH_SURROGATE
  return name.slice(0, isHalf ? KEPT - 1 : KEPT)
}

/** Collects the prefix of one name at a time from its parts, as returned by `nameParts`. */
export class NameBeginning {
  /** Parts added since `clear`, truncated to about the length of a key. */
  text = ''

  /** Starts a new name. */
  clear(): void {
    this.text = ''
  }

  /** Adds the next part, `text[start, end)`. */
  add(text: string, start: number, end: number): void {
    if (this.text.length >= KEPT) return
    this.text = withPart(this.text, text.slice(start, Math.min(end, start + KEPT)))
  }
}
