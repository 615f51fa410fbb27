/** Escapes untrusted text for display, so that it cannot move the cursor or reorder a line. */
import { jsonLineOf, jsonOf } from '@worldwright/client/exact'
import { UNSEEN } from '@worldwright/entities/unseen-text'

/** Matches what JSON text contains only as white space between its tokens, or not at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u001f]|\p{Cs}/gu

/** Escapes all invisible characters in `text`, including line breaks. */
export function visible(text: string): string {
  const unbroken = text.replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return unbroken.replace(CONTROL, escaped).replace(UNSEEN, escaped)
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
  return text.replace(UNSEEN, escaped)
}

/** Escapes each UTF-16 code unit as in JSON. */
function escaped(character: string): string {
  return character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
