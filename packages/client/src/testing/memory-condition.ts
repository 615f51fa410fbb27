/** Evaluates conditions in the JSON form of CQL2. */
import { type Entity, isObject, type JsonValue } from '../protocol.ts'
import { unsupported } from './failure.ts'
import { compare, readerOf, type Value, valueFrom } from './memory-values.ts'

/** Evaluates a condition for an entity: 1 if it is true, 0 if it is false, and 0.5 if it is unknown. */
export type Condition = (entity: Entity) => number

/** Comparison operators, as tests of the order of a value relative to each literal. */
const COMPARISONS: Readonly<Record<string, (orders: readonly number[]) => boolean>> = {
  '=': (orders) => orders.includes(0),
  in: (orders) => orders.includes(0),
  '<': ([order = 0]) => order < 0,
  '<=': ([order = 0]) => order <= 0,
  '>': ([order = 0]) => order > 0,
  '>=': ([order = 0]) => order >= 0,
  between: ([first = 0, last = 0]) => first >= 0 && last <= 0,
}

/** Returns the condition that a JSON value describes. `entities` are those of the queried types. */
export function conditionFrom(where: JsonValue, entities: readonly Entity[]): Condition {
  const { op, args } = isObject(where) ? where : {}
  if (typeof op !== 'string' || !Array.isArray(args) || args.length === 0)
    return unsupported('the condition', where)
  const [first, ...rest] = args
  const parts = () => args.map((arg) => conditionFrom(arg, entities))
  if (op === 'and') return all(parts(), Math.min)
  if (op === 'or') return all(parts(), Math.max)
  if (op === 'not' && rest.length === 0) return all(parts(), (truth = 0.5) => 1 - truth)
  if (op === '<>') return conditionFrom({ op: 'not', args: [{ op: '=', args }] }, entities)
  const property = isObject(first) ? first['property'] : undefined
  if (op === 'isNull' && rest.length === 0) {
    const read = readerOf(property, entities)
    return (entity) => Number(read(entity).length === 0)
  }
  const list = op === 'in' ? rest[0] : rest.length === (op === 'between' ? 2 : 1) && rest
  const literals = Array.isArray(list) ? list.map(literalFrom) : []
  const kind = literals[0]?.kind
  const matches = kind && literals.every((literal) => literal.kind === kind) && matcher(op, kind, literals)
  if (!matches) return unsupported('the condition', where)
  const read = readerOf(property, entities, kind)
  return (entity) => {
    const values = read(entity)
    return values.length > 0 ? Number(values.some(matches)) : 0.5
  }
}

function all(conditions: readonly Condition[], combine: (...truths: number[]) => number): Condition {
  return (entity) => combine(...conditions.map((condition) => condition(entity)))
}

function matcher(op: string, kind: Value['kind'], literals: readonly Value[]) {
  const prefix = /^([^%_\\]*)%$/.exec(`${literals[0]?.key}`)?.[1]
  if (op === 'like' && kind === 'text' && prefix !== undefined)
    return ({ key }: Value) => `${key}`.startsWith(prefix)
  const isOrdered = kind !== 'boolean' && kind !== 'reference'
  const isKnown = Object.hasOwn(COMPARISONS, op) && (isOrdered || op === '=' || op === 'in')
  const matches = isKnown ? COMPARISONS[op] : undefined
  return matches && ((value: Value) => matches(literals.map((literal) => compare(value, literal))))
}

/** Reads a literal: a JSON value, a date, a timestamp, or a reference as a function. */
function literalFrom(json: JsonValue): Value {
  const { date, timestamp, op, args } = isObject(json) ? json : {}
  const [type = null, id = null] = op === 'entity' && Array.isArray(args) ? args : []
  return valueFrom(date ?? timestamp ?? (op === 'entity' ? { type, id } : json))
}
