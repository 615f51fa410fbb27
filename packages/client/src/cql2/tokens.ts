/** Tokens of the text form of CQL2: names, numbers, texts and signs. */
import { Cql2SyntaxError } from './syntax-error.ts'

/** A token of a text. */
export interface Token {
  readonly is: 'name' | 'number' | 'text' | 'sign' | 'end'
  /** As it was written. */
  readonly raw: string
  /** For a text, the content of its quotes; for a name, its parts between the dots. */
  readonly value: string | number | readonly string[]
  /** A part of the name is quoted, so that it is not a keyword. */
  readonly isQuoted: boolean
  readonly position: number
}

/** A name without quotes; its characters follow XML, as in CQL2, except for the dot. */
const PLAIN_NAME = '[\\p{L}_:][\\p{L}\\p{M}\\p{N}_:]*'
const PART = `(?:${PLAIN_NAME}|"(?:[^"]|"")+")`
const SPACE = /\s*/uy
const NAME = new RegExp(`${PART}(?:\\.${PART})*`, 'uy')
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/uy
const TEXT = /'(?:[^'\\]|\\+(?!['\\])|''|(?:\\\\)*\\'|(?:\\\\)+(?='))*'/uy
const SIGN = /<>|<=|>=|[-+*/^%=<>(),]/uy

const IS_PLAIN = new RegExp(`^${PLAIN_NAME}$`, 'u')

/** Reports whether a name needs no quotes, unless it is a keyword. */
export function isPlainName(name: string): boolean {
  return IS_PLAIN.test(name)
}

/** Splits a text into its tokens, the end included. @throws Cql2SyntaxError */
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
 * Returns the content of a quoted text: a quote in it is doubled, or follows a backslash. A backslash is literal, except
 * before a quote, where two backslashes stand for one.
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
