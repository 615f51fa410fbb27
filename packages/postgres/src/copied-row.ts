/** Rows in the text format of COPY. */

/** A value of a column; undefined and null are NULL. */
export type Column = string | number | boolean | Buffer | null | undefined

/** Returns a row, with its line end. */
export function rowOf(columns: readonly Column[]): string {
  return `${columns.map(textOf).join('\t')}\n`
}

function textOf(value: Column): string {
  if (value === undefined || value === null) return '\\N'
  if (typeof value === 'string') return SPECIAL.test(value) ? value.replace(EACH_SPECIAL, escaped) : value
  return Buffer.isBuffer(value) ? `\\\\x${value.toString('hex')}` : String(value)
}

/** Matches characters with a special meaning in COPY. */
const SPECIAL = /[\\\t\n\r]/
const EACH_SPECIAL = /[\\\t\n\r]/g

function escaped(character: string): string {
  return NAMED[character] ?? '\\\\'
}

const NAMED: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }
