/** Properties of a type that can be the axis of a chart: numbers, and times as years, days or instants. */
import type { Entity, JsonValue } from '@worldwright/client'
import { type Field, isNumber, member, placeOf, timeOf, typesOf } from '@worldwright/extensions/shown'
import { type Asked, type Filter, keysOfAsked, namesOf } from '@worldwright/extensions/views'
import { type Askable, isMeasured } from './askable.ts'

/** A property whose values have a position on an axis. */
export interface Measure {
  /** Name of the property in addresses. */
  readonly key: string
  /** Kind of the values. The position of a `day` or an `instant` is in milliseconds since 1970. */
  readonly kind: 'number' | 'year' | 'day' | 'instant'
  readonly isWhole: boolean
  readonly field: Field
}

/** Returns the properties that can be an axis, in the given order. */
export function measuresOf(askables: readonly Askable[]): Measure[] {
  return askables.flatMap((askable): Measure[] => {
    const { key, kind, isDate, field } = askable
    const types = typesOf(field.schema)
    const isWhole = types.length > 0 && types.every((type) => type === 'integer')
    if (kind === 'text') return isDate ? [{ key, kind: 'day', isWhole, field }] : []
    if (!isMeasured(askable)) return []
    if (kind === 'instant') return [{ key, kind, isWhole, field }]
    return [{ key, kind: field.isYear ? 'year' : 'number', isWhole, field }]
  })
}

/** Returns the measures in a chart's order of preference: the sort property, filtered properties, then the rest as given. */
export function measuresAsked(
  measures: readonly Measure[],
  asked: Pick<Asked, 'filters' | 'sort'>,
): Measure[] {
  const found = keysOfAsked(asked).flatMap((key) => measures.find((measure) => measure.key === key) ?? [])
  return [...new Set([...found, ...measures])]
}

/** Reports whether the values of a measure are times. */
export function isTime({ kind }: Measure): boolean {
  return kind !== 'number'
}

/**
 * Infers the properties that charts can use from fields and sample entities, for a world without queries. The kind of a
 * field without a schema is that of its first value in the sample.
 */
export function askablesSeen(fields: readonly Field[], sample: readonly Entity[]): Askable[] {
  const seen = fields.flatMap((field): Askable[] => {
    const key = /[.[]/.test(field.name) ? JSON.stringify([field.name]) : field.name
    const value = sample.map(({ attributes }) => member(attributes, field.name)).find((one) => one != null)
    const isNumeric = isNumber(value) || typesOf(field.schema).some((type) => /number|integer/.test(type))
    if (isNumeric) return [{ key, kind: 'number', isDate: false, field }]
    const isDay = typeof value === 'string' && timeOf(value) !== undefined
    return [{ key, kind: isDay && value.includes('T') ? 'instant' : 'text', isDate: isDay, field }]
  })
  const [first] = fields
  const hasPlaces = sample.some(({ attributes }) => placeOf(attributes) !== undefined)
  return hasPlaces && first !== undefined
    ? [...seen, { key: 'attributes', kind: 'place', isDate: false, field: first }]
    : seen
}

/** Returns the position of an entity's first value on the axis of a measure, or undefined if the entity has no value. */
export function positionOf(entity: Entity, { key, kind }: Measure): number | undefined {
  const [value] = valuesAt(entity, key)
  if (isNumber(value)) return Number.isFinite(Number(value)) ? Number(value) : undefined
  return typeof value === 'string' && (kind === 'day' || kind === 'instant') ? timeOf(value) : undefined
}

const OWN: ReadonlySet<string> = new Set(['title', 'createdAt', 'updatedAt'])

/** Returns the values of an entity's property. Those in lists count one by one. */
export function valuesAt(entity: Entity, key: string): JsonValue[] {
  const isOwn = OWN.has(key)
  let values = [(isOwn ? entity : entity.attributes) as JsonValue]
  for (const name of isOwn ? [key] : namesOf(key))
    values = values.flatMap((value) => member(value, name) ?? [])
  return values
}

/** Latest time that `Date` supports, in milliseconds since 1970. The earliest time is its negative. */
const LAST = 8.64e15

/** Formats a position as the bound of a filter: a day or an instant in RFC 3339 format, or a plain number. */
export function boundText(position: number, { kind }: Measure): string {
  if (kind === 'number' || kind === 'year') return String(position)
  const time = new Date(Math.max(-LAST, Math.min(LAST, position))).toISOString()
  return kind === 'day' ? time.slice(0, 10) : time
}

/** Returns a position as a value of a query. */
export function boundValue(position: number, measure: Measure): JsonValue {
  if (measure.kind === 'instant') return { timestamp: boundText(position, measure) }
  return measure.kind === 'day' ? boundText(position, measure) : position
}

/** Returns the filter for a half-open range of positions. */
export function rangeFilter(from: number, to: number, measure: Measure): Filter {
  const last = lastBefore(to, measure)
  const ends = { from: boundText(from, measure), to: boundText(last, measure) }
  return { is: 'range', key: measure.key, ...ends, ...(last === to && { isBelow: true }) }
}

/** Returns the last value before `to`, the end of a half-open range. Returns `to` itself for fractional numbers. */
export function lastBefore(to: number, { kind, isWhole }: Measure): number {
  if (kind === 'day') return to - 86_400_000
  if (kind === 'instant') return to - 1
  return (isWhole || kind === 'year') && Number.isInteger(to) ? to - 1 : to
}
