/** Tokenizer for the text form of CQL2: names, numbers, text literals and signs. */
import { KEYWORDS } from './keywords.ts'
import { Cql2SyntaxError } from './syntax-error.ts'

/** A token in the text of a condition. */
export interface Token {
  readonly is: 'name' | 'number' | 'text' | 'sign' | 'end'
  /** The source text of the token. */
  readonly raw: string
  /** Content of a text literal without quotes, parts of a dotted name, value of a number, or the sign itself. */
  readonly value: string | number | readonly string[]
  /** True if any part of a name is quoted. Such a name is never a keyword. */
  readonly isQuoted: boolean
  readonly position: number
}

/** Pattern for one unquoted part of a name: the characters of CQL2 names, except for the dot that separates parts. */
const PLAIN_NAME = '[\\p{L}_:][\\p{L}\\p{M}\\p{N}_:]*'
const PART = `(?:${PLAIN_NAME}|"(?:[^"]|"")+")`
const SPACE = /\s*/uy
const NAME = new RegExp(`${PART}(?:\\.${PART})*`, 'uy')
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/uy
const TEXT = /'(?:[^'\\]|\\+(?!['\\])|''|(?:\\\\)*\\'|(?:\\\\)+(?='))*'/uy
const SIGN = /<>|<=|>=|[-+*/^%=<>(),]/uy

const IS_PLAIN = new RegExp(`^${PLAIN_NAME}$`, 'u')

/** Reports whether `name` has only characters that need no quotes. It may still be a keyword. */
export function isPlainName(name: string): boolean {
  return IS_PLAIN.test(name)
}

/** Splits `text` into tokens, the last of which is an `end` token. @throws Cql2SyntaxError */
export function tokens(text: string): Token[] {
  const found: Token[] = []
  let position = end(SPACE, text, 0)
  while (position < text.length) {
    const token = tokenAt(text, position)
    found.push(token)
    position = end(SPACE, text, position + token.raw.length)
  }
  found.push({ is: 'end', raw: '', value: '', isQuoted: false, position })
  return found
}

function tokenAt(text: string, position: number): Token {
  const token = (is: Token['is'], pattern: RegExp, read: (raw: string) => Token['value']) => {
    const raw = text.slice(position, end(pattern, text, position))
    return raw === '' ? undefined : { is, raw, value: read(raw), isQuoted: raw.includes('"'), position }
  }
  return (
    token('name', NAME, partsOf) ??
    token('number', NUMBER, Number) ??
    token('text', TEXT, unquoted) ??
    token('sign', SIGN, (raw) => raw) ??
    unreadable(text, position)
  )
}

function unreadable(text: string, position: number): never {
  const sign = String.fromCodePoint(text.codePointAt(position) ?? 0)
  const message =
    sign === "'"
      ? "A text begins here and has no end: a quote ' is missing."
      : sign === '"'
        ? 'A name begins here and has no end: a quote " is missing.'
        : `The sign ${sign} has no meaning here. Texts stand between single quotes, such as 'Io'.`
  throw new Cql2SyntaxError(message, position, sign.length)
}

function end(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position
  return pattern.test(text) ? pattern.lastIndex : position
}

function partsOf(raw: string): string[] {
  return [...raw.matchAll(/"((?:[^"]|"")+)"|[^."]+/gu)].map(([part, quoted]) =>
    quoted === undefined ? part : quoted.replaceAll('""', '"'),
  )
}

/**
 * Returns the content of a quoted text literal. A quote inside it is doubled or follows a backslash. A backslash is literal,
 * except before a quote, where two backslashes represent one.
 */
function unquoted(raw: string): string {
  return raw
    .slice(1)
    .replace(/\\+(?!['\\])|''|((?:\\\\)*)\\'|((?:\\\\)+)(?=')/g, (found, before?: string, even?: string) => {
      if (found === "''") return "'"
      if (before !== undefined) return `${before.slice(before.length / 2)}'`
      return even === undefined ? found : even.slice(even.length / 2)
    })
    .slice(0, -1)
}

/** Reports whether a token is a keyword. */
export function isKeyword({ is, isQuoted, raw }: Token): boolean {
  return is === 'name' && !isQuoted && KEYWORDS.has(raw.toUpperCase())
}

/** Returns the error for a token in place of what was expected. */
export function wrong({ is, raw, position }: Token, expected: string): Cql2SyntaxError {
  const found = is === 'end' ? 'the end' : raw.length > 40 ? `${raw.slice(0, 39)}…` : raw
  const where = position === 0 ? 'At the beginning' : `At character ${position + 1}`
  return new Cql2SyntaxError(`${where}: expected ${expected}, found ${found}.`, position, raw.length)
}
