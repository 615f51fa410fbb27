/**
 * `@worldwright/client/exact`: JSON without loss, for the option `parse` of `connect`. Numbers that JavaScript would change
 * keep their text, and every object keeps the text that it was read from.
 */

/** A number with its text. Strings and JSON get the text, arithmetic gets the nearest double. */
export class ExactNumber extends Number {
  readonly #text: string

  constructor(text: string) {
    super(text)
    this.#text = text
  }

  override toString(): string {
    return this.#text
  }

  /** Returns a value that `JSON.stringify` writes as the text: as a number, or in older runtimes as a string. */
  toJSON(): unknown {
    return (JSON as { rawJSON?: (text: string) => unknown }).rawJSON?.(this.#text) ?? this.#text
  }
}

/** Decides if a double replaces a number that is written as `text`. */
export type Holds = (value: number, text: string) => boolean

/** An object or array whose end has not been reached. `key` is the name of the member that is read. */
interface Open {
  readonly value: Record<string, unknown> | unknown[]
  readonly start: number
  key?: string | undefined
}

const texts = /* @__PURE__ */ new WeakMap<object, string>()
const repeating = /* @__PURE__ */ new WeakSet<object>()

/**
 * Parses JSON like `JSON.parse`, except that a number becomes an `ExactNumber` unless `holds` accepts its double. By default
 * that are all numbers that `JSON.stringify` would write differently, such as 9007199254740993, 1e400, 1.0 and -0.
 */
export function parseExact(text: string, holds: Holds = (value, text) => `${value}` === text): unknown {
  // Throws unless the text is valid, so that the loop needs no checks.
  JSON.parse(text)
  const around: Open[] = []
  let inner: Open = { value: [], start: 0 }
  for (let at = 0; at < text.length; at++) {
    const mark = text.charAt(at)
    if (mark === '{' || mark === '[') {
      around.push(inner)
      inner = { value: mark === '{' ? {} : [], start: at }
    } else if (mark === '}' || mark === ']') {
      const { value, start } = inner
      if (mark === '}') texts.set(value, text.slice(start, at + 1))
      inner = around.pop() as Open
      if (repeating.has(value)) repeating.add(inner.value)
      add(inner, value)
    } else if (mark > ' ' && mark !== ',' && mark !== ':') {
      const end = mark === '"' ? endOfString(text, at) : endOfWord(text, at)
      add(inner, scalarFrom(text.slice(at, end), holds))
      at = end - 1
    }
  }
  return (inner.value as unknown[])[0]
}

/** Returns the JSON text that `parseExact` read an object from, or that of `JSON.stringify` for any other value. */
export function jsonOf(value: unknown, indent?: number): string {
  return texts.get(value as object) ?? JSON.stringify(value, null, indent)
}

/** Returns the text of `jsonOf` on one line. Only white space between tokens is removed. */
export function jsonLineOf(value: unknown): string {
  return jsonOf(value).replace(/[\r\n][ \t\r\n]*/g, '')
}

/** Reports whether the text of a parsed value has a repeated key at any depth, so that the value lacks a member of the text. */
export function hasRepeatedKey(value: unknown): boolean {
  return repeating.has(value as object)
}

/** Accepts a double that equals the written number or, for an integer without exponent, holds all integers of its size. */
export function holdsValue(value: number, text: string): boolean {
  if (/^-?\d+$/.test(text) && !Number.isSafeInteger(value)) return false
  return canonicalNumber(`${value}`) === canonicalNumber(text)
}

/** Returns sign, significant digits and exponent of a number: equal texts for equal numbers, except that -0 is not 0. */
export function canonicalNumber(text: string): string {
  // No double is that long. The limit keeps the patterns below fast on hostile texts.
  const [, sign, whole = '', fraction = '', power = 0] =
    (text.length < 400 && /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)) || []
  if (whole === '') return text
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  return `${sign}${significant && `${significant}e${+power - fraction.length + digits.length - significant.length}`}`
}

/** Adds an element to an array, or a key or its value to an object. The last value of a repeated key wins. */
function add(open: Open, value: unknown): void {
  const { value: holder, key } = open
  if (Array.isArray(holder)) holder.push(value)
  else if (key === undefined) open.key = value as string
  else {
    if (Object.hasOwn(holder, key)) repeating.add(holder)
    // An assignment to `__proto__` would set the prototype.
    if (key !== '__proto__') holder[key] = value
    else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
    open.key = undefined
  }
}

function scalarFrom(text: string, holds: Holds): unknown {
  if (text[0] === '"' && !text.includes('\\')) return text.slice(1, -1)
  const value: unknown = JSON.parse(text)
  return typeof value === 'number' && !holds(value, text) ? new ExactNumber(text) : value
}

function endOfString(text: string, start: number): number {
  for (let quote = start; ; ) {
    quote = text.indexOf('"', quote + 1)
    let before = quote - 1
    while (text[before] === '\\') before--
    // The quote ends the string if an even number of backslashes precede it.
    if ((quote - before) % 2 === 1) return quote + 1
  }
}

function endOfWord(text: string, start: number): number {
  let end = start
  while (end < text.length && !' \t\r\n,]}'.includes(text.charAt(end))) end++
  return end
}
