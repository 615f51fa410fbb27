/** Makes untrusted text safe to display: names invisible characters and cuts long text. */

/**
 * Control characters, and invisible characters that affect the display: bidirectional controls, zero-width characters and
 * lone surrogates. Excludes line feed and tab, and the joiners U+200C and U+200D, which scripts and emoji need.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is meant to match control characters.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}|[\u{e0000}-\u{e007f}]/gu

/** Maximum number of characters that are named in text that is entirely blank. */
const MOST_BLANKS = 16

/** A piece of text, or the name of one invisible character. */
export type Piece = { readonly text: string } | { readonly unseen: string }

/** Matches text made up only of invisible characters: spaces of any kind, fillers and dangling joiners. */
const BLANK = /^(?:\s|[\u115f\u1160]|[\u200b-\u200f]|\u2800|\u3164|[\ufe00-\ufe0f]|\uffa0)+$/u

/** Reports whether text has no visible characters. */
export function isBlank(text: string): boolean {
  return text === '' || BLANK.test(text)
}

/**
 * Splits text into consecutive pieces for display. Each invisible character becomes its name, such as `U+202E`. Blanks are
 * named only if `whole`, the text from which `text` was cut, is all blank.
 */
export function piecesOf(text: string, whole = text): Piece[] {
  if (BLANK.test(whole))
    return Array.from(text.slice(0, MOST_BLANKS), (character) => ({ unseen: codeOf(character) }))
  const spans = Array.from(
    text.matchAll(UNSEEN),
    ({ index, 0: found }) => [index, index + found.length] as const,
  )
  return cutAt(text, spans).map((piece) =>
    piece.isMatch ? { unseen: codeOf(piece.text) } : { text: piece.text },
  )
}

/** Splits text at spans, which must be in ascending order. The pieces in a span have `isMatch` set. */
export function cutAt(text: string, spans: Iterable<readonly [from: number, to: number]>) {
  const pieces: { text: string; isMatch: boolean }[] = []
  let from = 0
  for (const [begin, end] of spans) {
    pieces.push(
      { text: text.slice(from, begin), isMatch: false },
      { text: text.slice(begin, end), isMatch: true },
    )
    from = end
  }
  pieces.push({ text: text.slice(from), isMatch: false })
  return pieces.filter((piece) => piece.text !== '')
}

/** Formats text as a single line of plain text, such as a window title. Invisible characters become `�`. */
export function plainText(text: string): string {
  return text.replace(UNSEEN, '\ufffd').replace(/\s+/g, ' ').trim()
}

/** Truncates `text` to at most `most` UTF-16 code units without splitting a surrogate pair. Undefined if it already fits. */
export function shortened(text: string, most: number): string | undefined {
  if (text.length <= most) return undefined
  const cut = text.slice(0, most)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Returns the first letter or digit of a text, in upper case, which stands where a picture is missing. */
export function initialOf(text: string): string {
  return /[\p{L}\p{N}]/u.exec(text)?.[0].toUpperCase() ?? ''
}
