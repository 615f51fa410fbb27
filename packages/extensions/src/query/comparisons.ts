/** Converts comparisons of a property to conditions. A value that fits several kinds is compared as each of them. */
import { type Condition, kindOfOperand, type PropertyPath } from '@worldwright/core/store'
import { justBefore } from './instants.ts'
import type { Compared } from './literals.ts'

/** CQL2 comparison operators for a single value. */
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

/** Returns the condition that `property op value` holds for any of `values`. With `<>`, it must hold for all of them. */
export function compare(op: Comparison, property: PropertyPath, values: readonly Compared[]): Condition {
  if (op === '<>') return { op: 'not', condition: compare('=', property, values) }
  return anyOf(values.map((value) => one(op, property, value)))
}

function one(op: Exclude<Comparison, '<>'>, property: PropertyPath, value: Compared): Condition {
  if ('operand' in value) return { op, property, value: value.operand }
  const { first, last } = value.day
  if (op === '=') return { op: 'between', property, low: { instant: first }, high: { instant: last } }
  // After a day means after its end, and before a day means before its beginning.
  return { op, property, value: { instant: op === '>' || op === '<=' ? last : first } }
}

/** Returns the condition that a property is between two bounds, inclusive, or undefined if they have no kind in common. */
export function between(
  property: PropertyPath,
  lows: readonly Compared[],
  highs: readonly Compared[],
): Condition | undefined {
  const found = lows.flatMap((low) => {
    const from = 'operand' in low ? low.operand : { instant: low.day.first }
    const high = highs.map((high) => ('operand' in high ? high.operand : { instant: high.day.last }))
    const to = high.find((operand) => kindOfOperand(operand) === kindOfOperand(from))
    return to === undefined ? [] : [{ op: 'between', property, low: from, high: to } as const]
  })
  return found.length === 0 ? undefined : anyOf(found)
}

/** Returns the condition that a property has one of these values. */
export function isOneOf(property: PropertyPath, values: readonly Compared[]): Condition {
  const operands = values.flatMap((value) => ('operand' in value ? [value.operand] : []))
  const days = values.filter((value) => 'day' in value).map((value) => one('=', property, value))
  return anyOf([...(operands.length > 0 ? [{ op: 'in', property, values: operands } as const] : []), ...days])
}

/** Returns the condition that a location is at most `metres` from `center`, or less than that if `below` is true. */
export function withinDistance(
  property: PropertyPath,
  center: { readonly longitude: number; readonly latitude: number },
  metres: number,
  below: boolean,
): Condition {
  return { op: 'within', property, center, metres: below ? justBefore(metres) : metres }
}

function anyOf(conditions: readonly Condition[]): Condition {
  const [only] = conditions
  return conditions.length === 1 && only ? only : { op: 'or', conditions }
}
