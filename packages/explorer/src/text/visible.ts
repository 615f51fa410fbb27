/** Makes untrusted text visible: unseen characters are named, and long texts are cut. */

/**
 * Controls, and characters that are unseen but change what is seen: bidirectional controls, zero-width ones, lone
 * surrogates. Joiners (U+200C, U+200D) stay: scripts and emoji are written with them. So do line feed and tab.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}|[\u{e0000}-\u{e007f}]/gu

/** Maximum blanks that are named in a text of nothing else. */
const MOST_BLANKS = 16

/** A piece of a text: as it is, or the name of one unseen character. */
export type Piece = { readonly text: string } | { readonly unseen: string }

/** Only invisible characters: spaces of all kinds, fillers, joiners with nothing to join. */
const BLANK = /^(?:\s|[\u115f\u1160]|[\u200b-\u200f]|\u2800|\u3164|[\ufe00-\ufe0f]|\uffa0)+$/u

/** Reports whether no part of a text is visible. */
export function isBlank(text: string): boolean {
  return text === '' || BLANK.test(text)
}

/**
 * Splits a text into pieces to show one after the other. Nothing is lost: each unseen character is named as `U+202E`.
 * Blanks are named only if there is nothing else in `whole`, the text that `text` was cut from.
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

/** Splits a text at spans of it, which are in its order. */
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

/** Returns a text on one line for contexts without markup, such as the window's title: unseen characters as `�`. */
export function plainText(text: string): string {
  return text.replace(UNSEEN, '\ufffd').replace(/\s+/g, ' ').trim()
}

/** Returns the beginning of a text longer than `most` characters, cut between characters; otherwise undefined. */
export function shortened(text: string, most: number): string | undefined {
  if (text.length <= most) return undefined
  const cut = text.slice(0, most)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
