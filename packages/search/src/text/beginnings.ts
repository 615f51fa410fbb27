/** Titles by their beginnings: the dictionary holds the first letters of each, so that what is typed of one finds it. */
import { classOf, HIGH_SURROGATE } from './characters.ts'
import { withPart } from './names.ts'

/** Begins the key of a title's beginning; no word begins with it. */
const MARK = '\u0003'
/** How much of a title is kept: few titles share more. In UTF-16 units. */
const KEPT = 8
/** Shorter beginnings are words of their own, and too many titles share them. In UTF-16 units. */
const SHORTEST = 4

/** The key of the beginning of a title; undefined if the title is too short. `name`: its `normalizedName`, or what that begins with. */
export function beginningKey(name: string): string | undefined {
  return name.length < SHORTEST ? undefined : MARK + beginningOf(name)
}

/** Whether the keys of titles that begin with `name` say all of it, or only its first letters. */
export function isWithinKey(name: string): boolean {
  return name.length <= KEPT
}

/** Whether a term is the beginning of titles, and no word. */
export function isBeginning(term: string): boolean {
  return term.startsWith(MARK)
}

/** Never half of a character. */
function beginningOf(name: string): string {
  const isHalf = classOf(name.charCodeAt(KEPT - 1)) === HIGH_SURROGATE
  return name.slice(0, isHalf ? KEPT - 1 : KEPT)
}

/** Collects the beginning of one name after another, part by part as `nameParts` gives them. */
export class NameBeginning {
  /** What was added since `clear`, as far as a key can hold it. */
  text = ''

  /** Begins another name. */
  clear(): void {
    this.text = ''
  }

  /** Adds the next part, `text[start, end)`. */
  add(text: string, start: number, end: number): void {
    if (this.text.length >= KEPT) return
    this.text = withPart(this.text, text.slice(start, Math.min(end, start + KEPT)))
  }
}
