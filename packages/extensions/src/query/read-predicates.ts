/** Reads `between`, `in`, `like`, `isNull` and `a_contains`. */
import type { JsonValue } from '@worldwright/client/protocol'
import { type Condition, isJoined, type Operand } from '@worldwright/core/store'
import type { Askable } from './askable.ts'
import { between, isOneOf } from './comparisons.ts'
import { QUERY_MAX_VALUES } from './limits.ts'
import { type Compared, comparedWith, holds, readLiteral } from './literals.ts'
import { shownPath } from './property-path.ts'
import { isComparable } from './read-comparison.ts'
import type { ReadContext } from './read-context.ts'
import { readOperand } from './read-property.ts'

type Args = readonly JsonValue[]

/** Reads `between` with a property and two inclusive bounds. */
export function readBetween(args: Args, pointer: string, context: ReadContext): Condition | undefined {
  const { faults } = context
  if (args.length !== 3) return faults.add(pointer, 'malformed', 'between takes a property and two values')
  const askable = readOperand(args[0], `${pointer}/0`, context)
  const low = readCompared(args[1], `${pointer}/1`, askable, context)
  const high = readCompared(args[2], `${pointer}/2`, askable, context)
  if (!askable || !low || !high) return undefined
  if (!isComparable('<=', [...low, ...high], askable, `${pointer}/1`, context)) return undefined
  return (
    between(askable.path, low, high) ??
    faults.add(`${pointer}/2`, 'wrong_type', 'between takes two values of the same kind')
  )
}

/** Reads `in` with a property and a list of values. */
export function readIn(args: Args, pointer: string, context: ReadContext): Condition | undefined {
  if (args.length !== 2)
    return context.faults.add(pointer, 'malformed', 'in takes a property and a list of values')
  const askable = readOperand(args[0], `${pointer}/0`, context)
  const values = readList(args[1], `${pointer}/1`, askable, context)
  return askable && values && isOneOf(askable.path, values)
}

/** Reads `like` with a property and a pattern: text without wildcards, or a prefix followed by a single `%`. */
export function readLike(args: Args, pointer: string, context: ReadContext): Condition | undefined {
  const { faults } = context
  const [left, pattern] = args
  if (args.length !== 2) return faults.add(pointer, 'malformed', 'like takes a property and a pattern')
  const askable = readOperand(left, `${pointer}/0`, context)
  if (typeof pattern !== 'string' || !pattern.isWellFormed())
    return faults.add(`${pointer}/1`, 'wrong_type', `like takes a pattern such as "abc%"`)
  const wanted = prefixFromPattern(pattern)
  if (wanted === undefined) {
    const message =
      'like finds beginnings: one % at the end of the pattern and no other % or _, unless after a \\'
    return faults.add(`${pointer}/1`, 'not_allowed', message)
  }
  if (askable === undefined) return undefined
  if (!askable.kinds.has('text') && !isWrittenTime(askable))
    return faults.add(
      `${pointer}/0`,
      'wrong_type',
      `like is for texts; ${shownPath(askable.path)} ${holds(askable)}`,
    )
  const { text, isWhole } = wanted
  return isWhole
    ? { op: '=', property: askable.path, value: text }
    : { op: 'prefix', property: askable.path, prefix: text }
}

/** Reports whether a property is an attribute with timestamps. Their text is also stored as written. */
function isWrittenTime({ path, kinds }: Askable): boolean {
  return kinds.has('instant') && typeof (isJoined(path) ? path.property : path) !== 'string'
}

/** Returns the text of a pattern that is a whole value or a prefix. Returns undefined for any other pattern. */
function prefixFromPattern(
  pattern: string,
): { readonly text: string; readonly isWhole: boolean } | undefined {
  const [whole, body = '', wildcard] = /^((?:[^\\%_]|\\[\\%_])*)(%?)$/s.exec(pattern) ?? []
  if (whole === undefined) return undefined
  return { text: body.replace(/\\(.)/gs, '$1'), isWhole: wildcard === '' }
}

/** Reads `isNull` with a property. */
export function readIsNull(args: Args, pointer: string, context: ReadContext): Condition | undefined {
  if (args.length !== 1) return context.faults.add(pointer, 'malformed', 'isNull takes a property')
  const askable = readOperand(args[0], `${pointer}/0`, context)
  return askable && { op: 'absent', property: askable.path }
}

/** Reads `a_contains` with a property and a list of values, all of which must be present. */
export function readContainsAll(args: Args, pointer: string, context: ReadContext): Condition | undefined {
  const { faults } = context
  if (args.length !== 2)
    return faults.add(pointer, 'malformed', 'a_contains takes a property and a list of values')
  const askable = readOperand(args[0], `${pointer}/0`, context)
  const values = readList(args[1], `${pointer}/1`, askable, context)
  if (!askable || !values) return undefined
  const operands = values.flatMap((value): Operand[] => ('operand' in value ? [value.operand] : []))
  if (operands.length < values.length)
    return faults.add(`${pointer}/1`, 'wrong_type', 'a_contains takes timestamps where a property holds them')
  return { op: 'containsAll', property: askable.path, values: operands }
}

function readList(
  value: JsonValue | undefined,
  pointer: string,
  askable: Askable | undefined,
  context: ReadContext,
): Compared[] | undefined {
  const { faults } = context
  if (!Array.isArray(value)) return faults.add(pointer, 'wrong_type', 'the values stand in a list')
  if (value.length === 0) return faults.add(pointer, 'required', 'the list has one value or more')
  if (value.length > QUERY_MAX_VALUES)
    return faults.add(pointer, 'too_many', `the list has ${QUERY_MAX_VALUES} values at most`)
  const read = value.map((item, index) => readCompared(item, `${pointer}/${index}`, askable, context))
  return read.every((item) => item !== undefined) ? read.flat() : undefined
}

function readCompared(
  value: JsonValue | undefined,
  pointer: string,
  askable: Askable | undefined,
  { faults }: ReadContext,
): readonly Compared[] | undefined {
  const literal = readLiteral(value ?? null, pointer, faults)
  if (!literal || !askable) return undefined
  const compared = comparedWith(literal, askable, pointer, faults)
  return compared.length > 0 ? compared : undefined
}
