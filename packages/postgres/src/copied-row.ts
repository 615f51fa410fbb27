/** Encodes rows in COPY text format. */

/** Column value. Both undefined and null are encoded as NULL. */
export type Column = string | number | boolean | Buffer | null | undefined

/** Encodes a row, including its trailing newline. */
export function rowOf(columns: readonly Column[]): string {
  return `${columns.map(textOf).join('\t')}\n`
}

function textOf(value: Column): string {
  if (value === undefined || value === null) return '\\N'
  if (typeof value === 'string') return SPECIAL.test(value) ? value.replace(EACH_SPECIAL, escaped) : value
  return Buffer.isBuffer(value) ? `\\\\x${value.toString('hex')}` : String(value)
}

/** Matches the characters that must be escaped in COPY text format. */
const SPECIAL = /[\\\t\n\r]/
const EACH_SPECIAL = /[\\\t\n\r]/g

function escaped(character: string): string {
  return NAMED[character] ?? '\\\\'
}

const NAMED: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }
