/** Evaluates expressions over the columns of a row: arithmetic, comparisons and a few functions, with no code of their own. */
import { parseExpression } from '@worldwright/client/cql2'
import { isObject, type JsonValue } from '@worldwright/client/protocol'
import { cellValue } from './cells.ts'
import { isDate } from './date-text.ts'

/** A value of an expression, undefined if there is none. */
export type Value = string | number | boolean | undefined

/** Thrown for an expression that has no meaning, or a row for which it has no value. */
export class ExpressionFault extends Error {
  override readonly name = 'ExpressionFault'
}

/** Returns the value for a row, whose columns `row` returns. @throws ExpressionFault */
type Evaluate = (row: (column: string) => Value) => Value

/** Maximum length of a text that an expression makes, in UTF-16 code units. */
const LONGEST_TEXT = 65_536

/** Prepares an expression. Calls `onColumn` for each column in it. @throws ExpressionFault, Cql2SyntaxError */
export function createEvaluator(text: string, onColumn: (column: string) => void): Evaluate {
  return compiled(parseExpression(text), onColumn)
}

function compiled(node: JsonValue, onColumn: (column: string) => void): Evaluate {
  if (!isObject(node)) return () => node as Value
  const { op, args, property } = node
  if (property !== undefined) {
    const column = [property].flat().join('.')
    onColumn(column)
    return (row) => row(column)
  }
  if (typeof op !== 'string')
    throw new ExpressionFault('shapes and DATE have no meaning here; a date is a text in quotes')
  const list = (args as JsonValue[]).flat()
  const parts = list.map((arg) => compiled(arg, onColumn))
  const [first = NONE, second = NONE, third = NONE] = parts
  // Conditions and `if` need not have a value for every operand.
  switch (op) {
    case 'isNull':
      return (row) => first(row) === undefined
    case 'if':
      count(op, parts, 2, 3)
      return (row) => {
        const condition = truth(first(row))
        return condition === undefined ? undefined : (condition ? second : third)(row)
      }
    case 'and':
    case 'or': {
      const decisive = op === 'or'
      return (row) => {
        const found = parts.map((part) => truth(part(row)))
        if (found.includes(decisive)) return decisive
        return found.includes(undefined) ? undefined : !decisive
      }
    }
    default: {
      const apply = functionOf(
        op,
        parts.length,
        list.map((one) => typeof one === 'string'),
      )
      return (row) => {
        const values = parts.map((part) => part(row))
        return values.includes(undefined) ? undefined : apply(values as NonNullable<Value>[])
      }
    }
  }
}

const NONE: Evaluate = () => undefined

type Apply = (values: readonly NonNullable<Value>[]) => Value

/** Operators of two numbers. */
const ARITHMETIC: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
  ['%', (a, b) => a % b],
])

/** Tests of the order of two values. */
const COMPARISONS: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ['=', (order) => order === 0],
  ['<>', (order) => order !== 0],
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
])

/** Parts of a date by name, each with its place in the text. */
const DATE_PARTS: ReadonlyMap<string, readonly [start: number, end: number]> = new Map([
  ['year', [0, 4]],
  ['month', [5, 7]],
  ['day', [8, 10]],
])

function functionOf(op: string, operands: number, texts: readonly boolean[]): Apply {
  const compute = ARITHMETIC.get(op)
  if (compute)
    return ([a, b]) => {
      const [left, right] = [numberOf(a), numberOf(b)]
      if (right === 0 && (op === '/' || op === '%')) throw new ExpressionFault('division by zero')
      return exact(compute(left, right), Number.isInteger(left) && Number.isInteger(right))
    }
  const compare = COMPARISONS.get(op)
  if (compare) return ([a, b]) => compare(orderOf(a, b, texts.includes(true)))
  const part = DATE_PARTS.get(op)
  if (part) {
    count(op, texts, 1, 1)
    return ([text]) => Number(dateOf(text).slice(...part))
  }
  switch (op) {
    case 'not':
      return ([value]) => !truth(value)
    case 'in':
      return ([value, ...others]) => others.some((one, at) => orderOf(value, one, texts[at + 1]) === 0)
    case 'between':
      return ([value, low, high]) => orderOf(low, value, texts[1]) <= 0 && orderOf(value, high, texts[2]) <= 0
    case 'round':
      count(op, texts, 1, 2)
      return ([value, digits = 0]) => rounded(numberOf(value), numberOf(digits))
    case 'concat':
      return (values) => {
        const text = values.map(String).join('')
        if (text.length > LONGEST_TEXT)
          throw new ExpressionFault(`a text of more than ${LONGEST_TEXT} characters`)
        return text
      }
    default:
      throw new ExpressionFault(
        `there is no ${op} of ${operands} values; functions are if, concat, round, year, month and day`,
      )
  }
}

function count(op: string, operands: readonly unknown[], least: number, most: number): void {
  if (operands.length >= least && operands.length <= most) return
  const wanted = least === most ? String(least) : `${least} or ${most}`
  throw new ExpressionFault(`${op} takes ${wanted} values, and not ${operands.length}`)
}

function numberOf(value: Value): number {
  if (typeof value === 'number') return value
  const read = cellValue(String(value), 'number')
  if ('fault' in read) throw new ExpressionFault(read.fault)
  return read.value as number
}

/**
 * Returns a result with 15 digits, which removes the errors of doubles: 0.1 + 0.2 is 0.3. Of whole numbers it has all digits.
 * @throws ExpressionFault if it needs more
 */
function exact(value: number, areWhole: boolean): number {
  const isWhole = areWhole && Number.isInteger(value)
  if (isWhole ? !Number.isSafeInteger(value) : !(Math.abs(value) < 1e14))
    throw new ExpressionFault('the result is no number that can be held exactly')
  return (isWhole ? value : Number(value.toPrecision(15))) + 0
}

function rounded(value: number, digits: number): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > 15)
    throw new ExpressionFault('round takes a number of decimals from 0 to 15')
  const text = String(Math.abs(value))
  // A shift of the decimal point in the text rounds 1.005 to 1.01, which a product would not.
  const shifted = text.includes('e') ? Math.abs(value) * 10 ** digits : Number(`${text}e${digits}`)
  return (Math.sign(value) || 0) * Number(`${Math.round(shifted)}e-${digits}`) + 0
}

function truth(value: Value): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  const read = cellValue(String(value), 'boolean')
  if ('fault' in read) throw new ExpressionFault(read.fault)
  return read.value as boolean
}

/** Compares as texts if one is a text in quotes, as numbers if both are, and as truths beside one. */
function orderOf(a: Value, b: Value, areTexts = false): number {
  if (typeof a === 'boolean' || typeof b === 'boolean') return Number(truth(a)) - Number(truth(b))
  const areNumbers = [a, b].every(
    (one) => typeof one === 'number' || !('fault' in cellValue(String(one), 'number')),
  )
  if (!areTexts && (areNumbers || typeof a === 'number' || typeof b === 'number')) {
    const [left, right] = [numberOf(a), numberOf(b)]
    return left < right ? -1 : Number(left > right)
  }
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}

function dateOf(value: Value): string {
  const text = String(value)
  if (!/^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(text) || !isDate(text.slice(0, 10)))
    throw new ExpressionFault(
      `${JSON.stringify(text)} is no date such as 2024-02-29; say its form as date: in cells`,
    )
  return text
}
