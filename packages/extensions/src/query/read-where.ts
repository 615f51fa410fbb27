/**
 * Reads `where`, which is the supported subset of CQL2 (OGC 21-065r2) in its JSON or text form. Everything else is refused by name,
 * so that no condition is misread or ignored.
 */
import { isObject, type JsonValue } from '@worldwright/client/protocol'
import type { Condition } from '@worldwright/core/store'
import { QUERY_MAX_CONDITIONS, QUERY_MAX_DEPTH } from './limits.ts'
import { readLiteral, shown } from './literals.ts'
import { COMPARISONS, readComparison, readDistance } from './read-comparison.ts'
import type { ReadContext } from './read-context.ts'
import { readBetween, readContainsAll, readIn, readIsNull, readLike } from './read-predicates.ts'
import { readIntersects } from './read-spatial.ts'
import { readWhereText } from './where-text.ts'

/** Reads the arguments of an operator. `pointer` locates them in the input. Returns undefined if a fault was added. */
export type ReadPredicate = (
  args: readonly JsonValue[],
  pointer: string,
  context: ReadContext,
  op: string,
) => Condition | undefined

const PREDICATES: ReadonlyMap<string, ReadPredicate> = new Map<string, ReadPredicate>([
  ...COMPARISONS.map((op) => [op, readComparison] as const),
  ['between', readBetween],
  ['in', readIn],
  ['like', readLike],
  ['isNull', readIsNull],
  ['a_contains', readContainsAll],
  ['s_intersects', readIntersects],
  ['refersTo', readRefersTo],
])

/** Names of all operators, as listed in the extension's declaration and in messages. */
export const OPERATORS: readonly string[] = ['and', 'or', 'not', ...PREDICATES.keys()]

/** Reads a condition. Returns undefined if a fault was added. */
export function readWhere(value: JsonValue, pointer: string, context: ReadContext): Condition | undefined {
  if (typeof value === 'string') return readWhereText(value, pointer, context, readWhere)
  return new WhereReader(context, pointer).read(value, pointer, 1)
}

class WhereReader {
  readonly #context: ReadContext
  /** Pointer to the whole condition. */
  readonly #root: string
  #conditions = 0

  constructor(context: ReadContext, root: string) {
    this.#context = context
    this.#root = root
  }

  read(value: JsonValue, pointer: string, depth: number): Condition | undefined {
    const { faults } = this.#context
    if (depth > QUERY_MAX_DEPTH)
      return faults.add(pointer, 'too_many', `conditions lie in each other ${QUERY_MAX_DEPTH} deep at most`)
    if (!isObject(value)) return faults.add(pointer, 'wrong_type', 'a condition is an object { op, args }')
    const { op, args, ...others } = value
    for (const name of Object.keys(others)) faults.addMember(pointer, name)
    if (typeof op !== 'string') return faults.add(`${pointer}/op`, 'required', OPERATORS_THERE_ARE)
    if (!Array.isArray(args)) return faults.add(`${pointer}/args`, 'required', `${op} needs a list of args`)
    if (op === 'and' || op === 'or') return this.#junction(op, args, `${pointer}/args`, depth)
    if (op === 'not') return this.#negation(args, `${pointer}/args`, depth)
    return this.#predicate(op, args, pointer)
  }

  #junction(op: 'and' | 'or', args: JsonValue[], pointer: string, depth: number): Condition | undefined {
    if (args.length < 2)
      return this.#context.faults.add(pointer, 'malformed', `${op} joins two conditions or more`)
    const conditions: Condition[] = []
    for (const [index, arg] of args.entries()) {
      if (this.#conditions > QUERY_MAX_CONDITIONS) break
      const condition = this.read(arg, `${pointer}/${index}`, depth + 1)
      if (condition) conditions.push(condition)
    }
    return { op, conditions }
  }

  #negation(args: JsonValue[], pointer: string, depth: number): Condition | undefined {
    const [arg] = args
    if (arg === undefined || args.length > 1)
      return this.#context.faults.add(pointer, 'malformed', 'not takes one condition')
    const condition = this.read(arg, `${pointer}/0`, depth + 1)
    return condition && { op: 'not', condition }
  }

  #predicate(op: string, args: JsonValue[], pointer: string): Condition | undefined {
    const { faults } = this.#context
    this.#conditions += 1
    if (this.#conditions === QUERY_MAX_CONDITIONS + 1)
      faults.add(this.#root, 'too_many', `a question has ${QUERY_MAX_CONDITIONS} conditions at most`)
    if (this.#conditions > QUERY_MAX_CONDITIONS) return undefined
    const predicate = PREDICATES.get(op)
    if (predicate === undefined) {
      const message = `the operator ${shown(op)} is not one of this server's: ${OPERATORS_THERE_ARE}`
      return faults.add(`${pointer}/op`, 'not_allowed', message)
    }
    const [first] = args
    if (isObject(first) && first['op'] === 'distance')
      return readDistance(args, `${pointer}/args`, this.#context, op)
    return predicate(args, `${pointer}/args`, this.#context, op)
  }
}

const OPERATORS_THERE_ARE = `there are ${OPERATORS.join(' ')}`

/** Reads our own function `refersTo(entity(type, id))`, which matches entities with any reference to that entity. */
function readRefersTo(
  args: readonly JsonValue[],
  pointer: string,
  { faults }: ReadContext,
): Condition | undefined {
  const [arg] = args
  if (arg === undefined || args.length > 1)
    return faults.add(pointer, 'malformed', 'refersTo takes one reference { type, id }')
  const literal = readLiteral(arg, `${pointer}/0`, faults)
  if (literal === undefined) return undefined
  if (literal.is === 'reference') return { op: 'refersTo', target: literal.value }
  return faults.add(`${pointer}/0`, 'wrong_type', 'refersTo takes a reference { type, id }')
}
