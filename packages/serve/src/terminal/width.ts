/** Measures and adjusts the width of text on a terminal. */

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
const ASCII = /^[\x00-\x7f]*$/

/** Returns the width of escaped text in columns. East Asian characters and emoji take two, combining marks none. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const character of characters(text)) width += characterWidth(character)
  return width
}

/** Truncates text that is wider than `columns`, and appends an ellipsis. */
export function cutTo(text: string, columns: number): string {
  if (text.length <= columns && ASCII.test(text)) return text
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const character of characters(text)) {
    width += characterWidth(character)
    if (width > columns - 1) break
    kept += character
  }
  return `${kept}…`
}

/** Pads text with spaces to `columns`. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}

/** Yields the grapheme clusters of `text`, such as a letter with its accents. */
function* characters(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter()
  for (const { segment } of segmenter.segment(text)) yield segment
}

// Created on first use, because creation is slow and most text needs no segmenter.
let segmenter: Intl.Segmenter | undefined

function characterWidth(character: string): number {
  if (WIDE.test(character)) return 2
  return /^\p{M}/u.test(character) ? 0 : 1
}
