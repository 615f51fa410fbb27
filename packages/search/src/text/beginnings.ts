/** Finds titles by their beginnings: the dictionary holds the first letters of each, so that typing some of them finds it. */
import { classOf, HIGH_SURROGATE } from './characters.ts'
import { withPart } from './names.ts'

/** Begins the key of a title's beginning; no word begins with it. */
const MARK = '\u0003'
/** Maximum length of the beginning that a key holds, in UTF-16 units: few titles share more. */
const KEPT = 8
/** Minimum length of a beginning, in UTF-16 units: shorter ones are words of their own, and too many titles share them. */
const SHORTEST = 4

/** Returns the key of a title's beginning; undefined if it is too short. `name`: its `normalizedName`, or a prefix of that. */
export function beginningKey(name: string): string | undefined {
  return name.length < SHORTEST ? undefined : MARK + beginningOf(name)
}

/** Reports whether the keys of titles that begin with `name` hold all of it, and not only its first letters. */
export function isWithinKey(name: string): boolean {
  return name.length <= KEPT
}

/** Reports whether a term is the beginning of titles, and not a word. */
export function isBeginning(term: string): boolean {
  return term.startsWith(MARK)
}

/** Returns the beginning of a name, which never ends in half of a character. */
function beginningOf(name: string): string {
  const isHalf = classOf(name.charCodeAt(KEPT - 1)) === HIGH_SURROGATE
  return name.slice(0, isHalf ? KEPT - 1 : KEPT)
}

/** Collects the beginning of one name after another, part by part as `nameParts` gives them. */
export class NameBeginning {
  /** Parts added since `clear`, as far as a key can hold them. */
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
