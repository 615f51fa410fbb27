/** Escapes untrusted text for display, so that it cannot move the cursor or reorder a line. */
import { jsonLineOf, jsonOf } from '@worldwright/client/exact'

/** Matches control characters, and invisible characters that change the display. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Cs}/gu

/** Like `UNSEEN` without the C0 controls, which occur only between the tokens of JSON text. */
const UNSEEN_IN_JSON = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Escapes all invisible characters in `text`, including line breaks. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (character === '\n') return '\\n'
    return character === '\t' ? '\\t' : escaped(character)
  })
}

/** Quotes `text` for a POSIX shell, unless it is a plain word. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * Formats a value as JSON without invisible characters. The text parses to the same value. A received object keeps its text,
 * on one line unless `indent` is given, which applies to all other values.
 */
export function jsonText(value: unknown, indent?: number): string {
  const text = indent === undefined ? jsonLineOf(value) : jsonOf(value, indent)
  return text.replace(UNSEEN_IN_JSON, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
