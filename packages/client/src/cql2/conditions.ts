/** Conditions that the parser builds. */
import type { JsonObject, JsonValue } from '../protocol.ts'

/** A condition that the parser is building. */
export interface Condition extends JsonObject {
  op: string
  args: JsonValue[]
}

/** Returns the negation of a condition. */
export function not(condition: Condition): Condition {
  return { op: 'not', args: [condition] }
}

/** Returns the negation of a condition if `isNot` is set, or else the condition. */
export function negated(isNot: boolean, condition: Condition): Condition {
  return isNot ? not(condition) : condition
}

/** Reports whether a value is an expression, such as a call. */
export function isExpression(value: JsonValue): value is Condition {
  return typeof value === 'object' && value !== null && 'op' in value
}
