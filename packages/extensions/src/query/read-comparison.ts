/** Reads `=`, `<>`, `<`, `<=`, `>` and `>=` between a property and a value, in either order, or a distance and a limit. */
import { isObject, type JsonValue } from '@worldwright/client/protocol'
import { type Condition, kindOfOperand } from '@worldwright/core/store'
import type { Askable } from './askable.ts'
import { type Comparison, compare, withinDistance } from './comparisons.ts'
import { type Compared, comparedWith, readLiteral } from './literals.ts'
import { shownPath } from './property-path.ts'
import type { ReadContext } from './read-context.ts'
import { readOperand } from './read-property.ts'
import { readCenter } from './read-spatial.ts'

/** Operators that compare a property with a single value. */
export const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='] as const satisfies readonly Comparison[]

/** Operators to use if the operands are swapped. */
const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/** Reads a comparison between a property and a value. */
export function readComparison(
  args: readonly JsonValue[],
  pointer: string,
  context: ReadContext,
  op: string,
): Condition | undefined {
  const [left, right] = args
  if (left === undefined || right === undefined || args.length > 2)
    return context.faults.add(pointer, 'malformed', `${op} compares a property with a value`)
  const isMirrored = !names(left) && names(right)
  if (isMirrored && isObject(right) && right['op'] === 'distance')
    return readDistance([right, left], pointer, context, MIRRORED[op as Comparison])
  const [property, value] = isMirrored ? [1, 0] : [0, 1]
  const askable = readOperand(args[property], `${pointer}/${property}`, context)
  const valuePointer = `${pointer}/${value}`
  const literal = readLiteral(args[value] ?? null, valuePointer, context.faults)
  if (!askable || !literal) return undefined
  const compared = comparedWith(literal, askable, valuePointer, context.faults)
  const comparison = isMirrored ? MIRRORED[op as Comparison] : (op as Comparison)
  if (compared.length === 0 || !isComparable(comparison, compared, askable, valuePointer, context))
    return undefined
  return compare(comparison, askable.path, compared)
}

/** Reports whether an argument is a property or a computed expression rather than a value. */
function names(value: JsonValue): boolean {
  if (!isObject(value)) return false
  return value['property'] !== undefined || (value['op'] !== undefined && value['op'] !== 'entity')
}

/** Reports whether `op` can be applied to these values. Adds a fault if `op` needs an order and the values have none. */
export function isComparable(
  op: Comparison,
  compared: readonly Compared[],
  { path }: Askable,
  pointer: string,
  { faults }: ReadContext,
): boolean {
  if (op === '=' || op === '<>') return true
  const unordered = compared.find(
    (value) => 'operand' in value && ['boolean', 'reference'].includes(kindOfOperand(value.operand)),
  )
  if (unordered === undefined) return true
  faults.add(pointer, 'wrong_type', `${shownPath(path)} has values without an order: ask with = or <>`)
  return false
}

/** Reads a bounded distance: `distance(property, point) <= metres`. */
export function readDistance(
  args: readonly JsonValue[],
  pointer: string,
  context: ReadContext,
  op: string,
): Condition | undefined {
  const { faults } = context
  const [call, metres] = args
  if (!/^[<>]=?$/.test(op) || args.length !== 2)
    return faults.add(pointer, 'not_allowed', 'a distance is compared with <, <=, > or >=')
  if (typeof metres !== 'number' || !(metres >= 0) || !Number.isFinite(metres)) {
    faults.add(`${pointer}/1`, 'wrong_type', 'a distance is a number of metres, 0 or more')
    return undefined
  }
  const center = readCenter(call, `${pointer}/0`, context)
  if (center === undefined) return undefined
  // Reads `>` and `>=` as the negation of `<=` and `<`.
  const within = withinDistance(center.path, center.point, metres, op === '<' || op === '>=')
  return op.startsWith('<') ? within : { op: 'not', condition: within }
}
