/** Conditions of the reference world: the decisions on `where`, written a second time and as plainly as possible. */
import { isObject, type JsonObject } from '../src/json/json.ts'
import type { ReferenceEntity } from './reference-data.ts'

/** Records a fault: its pointer below the input, and the reason. */
export type Fault = (pointer: string, reason: string) => void

/** Returns true if a condition holds for an entity, false if it fails, undefined if that is unknown. */
type Judgement = (entity: ReferenceEntity) => boolean | undefined

const OPERATORS = 'and or not = <> < <= > >= between in like isNull a_contains refersTo'.split(' ')
const MOST = 8
const DEEPEST = 3
const RADIUS = 6_371_008.8
/** Maximum characters of a text that is compared: longer texts are not indexed. */
const COMPARED = 128

/** Returns an entity's values of a property; of lists, each element. */
export function valuesOf(entity: ReferenceEntity, property: string): unknown[] {
  const member = (entity as unknown as JsonObject)[property]
  const value = ['type', 'id', 'title', 'createdAt'].includes(property) ? member : entity.attributes[property]
  return value === undefined ? [] : [value].flat()
}

/** Reports whether an entity has a text at a property that is too long to be compared. */
export function isUnindexed(entity: ReferenceEntity, property: string): boolean {
  return valuesOf(entity, property).some((value) => typeof value === 'string' && value.length > COMPARED)
}

/** Properties that can be queried, and the receiver of faults. */
export interface WhereContext {
  readonly properties: readonly string[]
  readonly fault: Fault
  /** The properties that the query names. */
  readonly asked: Set<string>
}

/** Reads the condition at `where`. */
export function readWhere(value: unknown, context: WhereContext): Judgement {
  let count = 0
  const read = (condition: unknown, pointer: string, depth: number): Judgement => {
    const { op, args } = isObject(condition) ? condition : {}
    if (depth > DEEPEST || !Array.isArray(args)) {
      context.fault(pointer, 'malformed')
      return () => undefined
    }
    if (op === 'and' || op === 'or' || op === 'not') {
      const parts = args.map((arg, at) => read(arg, `${pointer}/args/${at}`, depth + 1))
      return (entity) =>
        joined(
          op,
          parts.map((part) => part(entity)),
        )
    }
    count += 1
    if (count > MOST) context.fault('/where', 'too_many')
    if (OPERATORS.includes(String(op))) return predicate(String(op), args, `${pointer}/args`, context)
    context.fault(`${pointer}/op`, `not_allowed: ${op}`)
    return () => undefined
  }
  return read(value, '/where', 1)
}

function joined(op: string, parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (op === 'not') return parts[0] === undefined ? undefined : !parts[0]
  const decisive = op === 'or'
  if (parts.includes(decisive)) return decisive
  return parts.includes(undefined) ? undefined : !decisive
}

function predicate(op: string, args: readonly unknown[], pointer: string, context: WhereContext): Judgement {
  if (op === 'refersTo') {
    const wanted = JSON.stringify(spelt(args[0]))
    return ({ attributes }) =>
      Object.values(attributes).some((value) => JSON.stringify(spelt(value)) === wanted)
  }
  const [first, second] = args
  if (isObject(first) && first['op'] === 'distance')
    return distance(op, first, Number(second), pointer, context)
  const property = propertyIn(first, `${pointer}/0`, context)
  if (op === 'like' && !/^(?:[^%_\\]|\\.)*%?$/s.test(String(second)))
    context.fault(`${pointer}/1`, 'not_allowed')
  const kept = (entity: ReferenceEntity) =>
    valuesOf(entity, property).filter((value) => typeof value !== 'string' || value.length <= COMPARED)
  if (op === 'isNull') return (entity) => kept(entity).length === 0
  const fits = fitting(op, args.slice(1))
  return (entity) => {
    const own = kept(entity).map((value) => comparable(value, property))
    return own.length === 0 ? undefined : fits(own)
  }
}

/** Returns the name of a property in a condition; an unknown one is a fault. */
export function propertyIn(value: unknown, pointer: string, context: WhereContext): string {
  const property = isObject(value) ? value['property'] : value
  if (typeof property !== 'string' || !context.properties.includes(property)) {
    context.fault(pointer, 'not_allowed')
    return 'id'
  }
  context.asked.add(property)
  return property
}

type Comparable = string | number

/** Returns a function that reports whether values fit an operator: for most operators, whether any value fits. */
function fitting(op: string, operands: readonly unknown[]): (values: readonly Comparable[]) => boolean {
  const [operand, high] = operands
  const [from, to] = spanOf(operand)
  const some = (fits: (value: Comparable) => boolean) => (values: readonly Comparable[]) => values.some(fits)
  switch (op) {
    case '=':
      return some((value) => compare(value, from) >= 0 && compare(value, to) <= 0)
    case '<>':
      return (values) => !values.some((value) => compare(value, from) >= 0 && compare(value, to) <= 0)
    case '<':
      return some((value) => compare(value, from) < 0)
    case '<=':
      return some((value) => compare(value, to) <= 0)
    case '>':
      return some((value) => compare(value, to) > 0)
    case '>=':
      return some((value) => compare(value, from) >= 0)
    case 'between':
      return some((value) => compare(value, from) >= 0 && compare(value, spanOf(high)[1]) <= 0)
    case 'in':
      return some((value) => [operand].flat().some((one) => compare(value, spanOf(one)[0]) === 0))
    case 'a_contains':
      return (values) => [operand].flat().every((one) => values.includes(spanOf(one)[0]))
    default: {
      const pattern = String(operand)
      const text = pattern.replace(/%$/, (end) => (/\\%$/.test(pattern) ? end : '')).replace(/\\(.)/gs, '$1')
      const isWhole = !/(?<!\\)%$/.test(pattern)
      return some((value) => (isWhole ? value === text : String(value).startsWith(text)))
    }
  }
}

/** Returns the first and last value of an operand: a date is a whole day. */
function spanOf(operand: unknown): readonly [from: Comparable, to: Comparable] {
  const { date, timestamp } = isObject(operand) ? operand : {}
  if (typeof date === 'string') return [Date.parse(date), Date.parse(date) + 86_399_999]
  const value = typeof timestamp === 'string' ? Date.parse(timestamp) : comparable(operand, '')
  return [value, value]
}

function comparable(value: unknown, property: string): Comparable {
  if (property === 'createdAt') return Date.parse(String(value))
  if (typeof value === 'number' || typeof value === 'string') return value
  return JSON.stringify(spelt(value)) ?? ''
}

/** Returns a reference in one spelling. */
function spelt(value: unknown): unknown {
  if (!isObject(value)) return value
  const [type, id] = Array.isArray(value['args']) ? value['args'] : [value['type'], value['id']]
  return type === undefined ? value : { type, id }
}

/** Compares numbers, or texts by their bytes; values of different kinds are not equal. */
export function compare(one: Comparable, other: Comparable): number {
  if (typeof one !== typeof other) return Number.NaN
  if (typeof one === 'number') return one - Number(other)
  return Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
}

function distance(
  op: string,
  call: JsonObject,
  metres: number,
  pointer: string,
  context: WhereContext,
): Judgement {
  const [place, point] = Array.isArray(call['args']) ? call['args'] : []
  const property = propertyIn(place, `${pointer}/0/args/0`, context)
  const [longitude, latitude] =
    isObject(point) && Array.isArray(point['coordinates']) ? point['coordinates'] : []
  return (entity) => {
    const [own] = valuesOf(entity, property)
    if (!isObject(own)) return undefined
    const away = metresBetween([Number(own['latitude']), Number(own['longitude'])], [latitude, longitude])
    return op.startsWith('<') ? away < metres : away > metres
  }
}

/** Returns the distance by the angle between two directions, which is not the formula of the kit. */
function metresBetween(one: readonly [number, number], other: readonly [number, number]): number {
  const direction = ([latitude, longitude]: readonly [number, number]) => {
    const [up, turn] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180]
    return [Math.cos(up) * Math.cos(turn), Math.cos(up) * Math.sin(turn), Math.sin(up)] as const
  }
  const [a, b] = [direction(one), direction(other)]
  const chord = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
  return 2 * RADIUS * Math.asin(chord / 2)
}
