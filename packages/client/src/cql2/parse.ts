/** Parser from the text form of CQL2 (OGC 21-065r2) to its JSON form. */
import { holdsValue } from '../exact.ts'
import type { JsonObject, JsonValue } from '../protocol.ts'
import type { Cql2Expression } from '../query-types.ts'
import { type Condition, isExpression, negated, not } from './conditions.ts'
import { functionName } from './keywords.ts'
import { isKeyword, type Token, tokens, wrong } from './tokens.ts'

/** Maximum nesting depth. Servers reject deeper conditions. */
const MAX_DEPTH = 64

/**
 * Parses a condition such as `mass > 1 AND name LIKE 'Io%'`.
 * @param positions receives where in the text the comparisons, functions and properties of the condition begin
 * @throws Cql2SyntaxError
 */
export function parseCql2(text: string, positions?: WeakMap<object, number>): Cql2Expression {
  const parser = new Parser(text, positions)
  const condition = parser.condition()
  parser.expectEnd('AND or OR')
  return condition as Cql2Expression
}

/**
 * Parses an expression such as `price * 1.19` or `if(mass > 1, 'large', 'small')`: a condition or a value, with arithmetic.
 * @throws Cql2SyntaxError, also for numbers that a double cannot hold
 */
export function parseExpression(text: string): JsonValue {
  const parser = new Parser(text, undefined, true)
  const expression = parser.condition()
  parser.expectEnd('an operator')
  return expression
}

/** A sort key, in the form that a query's `sort` member accepts. */
export type SortInput = string | JsonObject

/**
 * Parses a sort order such as `-mass, title` or `distance(place, POINT(2.35 48.86))`. A minus means descending.
 * @throws Cql2SyntaxError
 */
export function parseSort(text: string): SortInput[] {
  const parser = new Parser(text)
  const keys = [parser.sortKey()]
  while (parser.takes(',')) keys.push(parser.sortKey())
  parser.expectEnd('a comma')
  return keys
}

/** Parses a property name, such as `orbit."semi-major axis"`, to its JSON form. @throws Cql2SyntaxError */
export function parseProperty(text: string): string | string[] {
  const parser = new Parser(text)
  const property = parser.property()
  parser.expectEnd('a point and another name')
  return property
}

class Parser {
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0
  readonly #positions: WeakMap<object, number> | undefined

  /** Set to read arithmetic, and conditions as values. */
  readonly #computes: boolean

  constructor(text: string, positions?: WeakMap<object, number>, computes = false) {
    this.#computes = computes
    this.#tokens = tokens(text)
    this.#positions = positions
  }

  condition(): Condition {
    return this.#joined('OR', () => this.#joined('AND', () => this.#factor()))
  }

  sortKey(): SortInput {
    const descending = this.takes('-')
    const { value } = this.#peek
    if (this.#isCall()) {
      const call = this.#call() as JsonObject
      return descending ? { ...call, descending } : call
    }
    const property = this.property()
    const isRelevance = property === 'relevance' && Array.isArray(value) && !descending
    if (isRelevance || typeof property === 'string') return `${descending ? '-' : ''}${property}`
    return { property, descending }
  }

  property(): string | string[] {
    const token = this.#take()
    if (token.is !== 'name' || isKeyword(token)) throw wrong(token, 'the name of a property')
    const parts = token.value as readonly string[]
    return parts.some((part) => part.includes('.')) ? [...parts] : parts.join('.')
  }

  expectEnd(instead: string): void {
    if (this.#peek.is !== 'end') throw wrong(this.#peek, `${instead}, or the end`)
  }

  /** Consumes the next token if it is the sign or keyword `word`. Reports whether it did. */
  takes(word: string): boolean {
    const isNext = this.#is(word)
    if (isNext) this.#next += 1
    return isNext
  }

  #joined(word: 'AND' | 'OR', operand: () => Condition): Condition {
    const first = operand()
    const args = [first]
    while (this.takes(word)) args.push(operand())
    return args.length === 1 ? first : { op: word.toLowerCase(), args }
  }

  #factor(): Condition {
    return this.takes('NOT') ? not(this.#primary()) : this.#primary()
  }

  #primary(): Condition {
    if (this.#computes || !this.#is('(')) return this.#placed(() => this.#predicate())
    return this.#bracketed()
  }

  #bracketed(): Condition {
    return this.#nested(() => {
      this.#expect('(')
      const condition = this.condition()
      this.#expect(')', 'AND, OR or a closing bracket )')
      return condition
    })
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw wrong(this.#peek, `no more than ${MAX_DEPTH} brackets in each other`)
    const result = read()
    this.#depth -= 1
    return result
  }

  #predicate(): Condition {
    const isCall = this.#isCall()
    const left = this.#operand('a property or a value')
    if (this.takes('IS')) {
      const isNot = this.takes('NOT')
      this.#expect('NULL')
      return negated(isNot, { op: 'isNull', args: [left] })
    }
    const isNot = this.takes('NOT')
    const word = this.#peek
    if (this.takes('LIKE')) return negated(isNot, { op: 'like', args: [left, this.#operand('a pattern')] })
    if (this.takes('IN')) return negated(isNot, { op: 'in', args: [left, this.#list()] })
    if (this.takes('BETWEEN')) {
      const low = this.#operand('a value')
      this.#expect('AND')
      return negated(isNot, { op: 'between', args: [left, low, this.#operand('a value')] })
    }
    if (isNot) throw wrong(word, 'LIKE, IN or BETWEEN')
    const { raw } = word
    if (/^(<>|[<>]=?|=)$/.test(raw)) {
      this.#next += 1
      return { op: raw, args: [left, this.#operand('a value')] }
    }
    if (isCall && isExpression(left)) return left
    // A value in place of a condition.
    if (this.#computes) return left as Condition
    throw wrong(word, 'an operator such as = < > LIKE IN BETWEEN or IS NULL')
  }

  /** Reads a node and records its position. */
  #placed<T>(read: () => T): T {
    const { position } = this.#peek
    const node = read()
    if (typeof node === 'object' && node !== null) this.#positions?.set(node, position)
    return node
  }

  #operand(what: string): JsonValue {
    if (this.#computes)
      return this.#chain(/^[-+]$/, () => this.#chain(/^[*/%]$/, () => this.#placed(() => this.#value(what))))
    const value = this.#placed(() => this.#value(what))
    const { raw, is } = this.#peek
    const isArithmetic = (is === 'sign' && /^[-+*/^%]$/.test(raw)) || (is === 'name' && /^div$/i.test(raw))
    if (isArithmetic) throw wrong(this.#peek, 'no arithmetic here')
    return value
  }

  #chain(signs: RegExp, operand: () => JsonValue): JsonValue {
    let left = operand()
    while (this.#peek.is === 'sign' && signs.test(this.#peek.raw))
      left = { op: this.#take().raw, args: [left, operand()] }
    return left
  }

  #value(what: string): JsonValue {
    const token = this.#peek
    if (this.#computes && this.#is('(')) return this.#bracketed()
    if (this.#computes && this.#is('-') && this.#tokens[this.#next + 1]?.is !== 'number') {
      this.#next += 1
      return { op: '-', args: [0, this.#nested(() => this.#value(what))] }
    }
    if (token.is === 'text') return this.#take().value as string
    if (token.is === 'number' || this.#is('-') || this.#is('+')) return this.#number()
    if (this.takes('TRUE')) return true
    if (this.takes('FALSE')) return false
    if (this.#is('(')) return this.#list()
    if (this.#isCall()) return this.#call()
    if (token.is !== 'name' || isKeyword(token)) throw wrong(token, what)
    return { property: this.property() }
  }

  #number(): number {
    const sign = this.takes('-') ? -1 : 1
    if (sign === 1) this.takes('+')
    const token = this.#take()
    if (token.is !== 'number') throw wrong(token, 'a number')
    const number = sign * (token.value as number)
    if (this.#computes && !holdsValue(token.value as number, token.raw))
      throw wrong(token, 'a number of fewer digits')
    if (!Number.isFinite(number)) throw wrong(token, 'a number that is not so large')
    return number
  }

  #list(): JsonValue[] {
    return this.#nested(() => {
      this.#expect('(', 'a list in brackets, such as (1, 2)')
      const values: JsonValue[] = []
      if (this.takes(')')) return values
      do values.push(this.#computes ? this.condition() : this.#operand('a value'))
      while (this.takes(','))
      this.#expect(')', 'a comma or a closing bracket )')
      return values
    })
  }

  /** Reports whether the next tokens are a function name and an opening parenthesis. */
  #isCall(): boolean {
    const token = this.#peek
    const isName = token.is === 'name' && !token.isQuoted && !isKeyword(token)
    return isName && this.#tokens[this.#next + 1]?.raw === '('
  }

  #call(): JsonValue {
    const token = this.#take()
    const name = token.raw.toUpperCase()
    if (name === 'DATE' || name === 'TIMESTAMP') return { [name.toLowerCase()]: this.#onlyText() }
    if (name === 'BBOX') return { bbox: this.#numbers(',') }
    if (name === 'POINT') return { type: 'Point', coordinates: this.#numbers() }
    if (/^((MULTI)?(POINT|LINESTRING|POLYGON)|GEOMETRYCOLLECTION|INTERVAL)$/.test(name))
      throw wrong(
        token,
        'POINT(longitude latitude) or BBOX(west, south, east, north): no other shape is read',
      )
    return { op: functionName(token.raw), args: this.#list() }
  }

  #onlyText(): string {
    this.#expect('(')
    const token = this.#take()
    if (token.is !== 'text') throw wrong(token, "a text in quotes, such as '1990-01-31'")
    this.#expect(')')
    return token.value as string
  }

  #numbers(separator?: ','): number[] {
    this.#expect('(')
    const numbers = [this.#number()]
    while (!this.#is(')')) {
      if (separator) this.#expect(separator)
      numbers.push(this.#number())
    }
    this.#expect(')')
    return numbers
  }

  get #peek(): Token {
    return this.#tokens[this.#next] as Token
  }

  #take(): Token {
    const token = this.#peek
    if (token.is !== 'end') this.#next += 1
    return token
  }

  #is(word: string): boolean {
    const { is, raw, isQuoted } = this.#peek
    return (is === 'sign' || (is === 'name' && !isQuoted)) && raw.toUpperCase() === word
  }

  #expect(word: string, what = word): void {
    if (!this.takes(word)) throw wrong(this.#peek, what)
  }
}
