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

/** An object or array whose end has not been reached. `key` is the name of the member that is read. */
interface Open {
  readonly value: Record<string, unknown> | unknown[]
  readonly start: number
  key?: string | undefined
}

const texts = /* @__PURE__ */ new WeakMap<object, string>()
const repeating = /* @__PURE__ */ new WeakSet<object>()

/**
 * Parses JSON like `JSON.parse`, except that a number becomes an `ExactNumber` unless `holds` accepts its double. The default
 * refuses all numbers that `JSON.stringify` would write differently, such as 9007199254740993, 1e400, 1.0 and -0.
 */
export function parseExact(
  text: string,
  holds = (value: number, text: string) => `${value}` === text,
): unknown {
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
      const end = mark === '"' ? endOfString(text, at) : endOfScalar(text, at)
      const literal = text.slice(at, end)
      const value: unknown =
        mark === '"' && !literal.includes('\\') ? literal.slice(1, -1) : JSON.parse(literal)
      add(inner, typeof value === 'number' && !holds(value, literal) ? new ExactNumber(literal) : value)
      at = end - 1
    }
  }
  return (inner.value as unknown[])[0]
}

/** Returns the JSON text that `parseExact` read an object from, or that of `JSON.stringify` for any other value. */
export function jsonOf(value: unknown, indent?: number): string {
  return texts.get(value as object) ?? JSON.stringify(value, null, indent)
}

/** Returns the text of `jsonOf` on one line: without line breaks and the white space after them. */
export function jsonLineOf(value: unknown): string {
  return jsonOf(value).replace(/[\r\n][ \t\r\n]*/g, '')
}

/** Reports whether the text of an object or array has a repeated key at any depth, so that the value lacks a member of it. */
export function hasRepeatedKey(value: unknown): boolean {
  return repeating.has(value as object)
}

/**
 * Accepts a double that identifies the number written as `text`: written with as many significant digits, it has the same
 * ones. So 0.10000000000000001, which programs write for 0.1, is held. An integer must also be within ±(2^53−1).
 */
export function holdsValue(value: number, text: string): boolean {
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(value)
  if (`${value}` === text) return true
  // `toExponential` writes at most 101 digits, and the patterns below are slow for long texts.
  if (text.length > 100) return false
  const digits = digitsIn(text)
  return digitsIn(value.toExponential(Math.max(0, digits.length - 1))) === digits
}

function digitsIn(text: string): string {
  return text.replace(/e.*|\D/gi, '').replace(/^0+|0+$/g, '')
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

/** Returns the index after the JSON string that begins at `start`, or the length of `text` if the string is unterminated. */
export function endOfString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return text.length
    let before = quote - 1
    while (text.charCodeAt(before) === 0x5c) before--
    // The quote is unescaped if an even number of backslashes precede it.
    if ((quote - before) % 2 === 1) return quote + 1
    from = quote + 1
  }
}

/** Returns the index after the number, `true`, `false` or `null` that begins at `start`. */
export function endOfScalar(text: string, start: number): number {
  let at = start
  let code = text.charCodeAt(at)
  // Stops at white space, a comma and closing brackets.
  while (code > 0x20 && code !== 0x2c && code !== 0x5d && code !== 0x7d) code = text.charCodeAt(++at)
  return at
}
