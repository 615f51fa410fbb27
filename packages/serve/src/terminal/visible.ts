/** Text from other worlds, made safe to show: nothing in it may move the cursor or reorder a line. */

/** Control characters, and invisible characters that change the display. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Cs}/gu

/** The same without the C0 controls, which JSON text has only between its tokens. */
const UNSEEN_IN_JSON = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Escapes all invisible characters of a text, line ends included. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (character === '\n') return '\\n'
    return character === '\t' ? '\\t' : escaped(character)
  })
}

/** Formats a value as JSON that is also safe on a terminal; it parses to exactly that value. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSEEN_IN_JSON, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
