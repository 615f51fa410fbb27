/** Reads `group`, `measures`, `groupSort` and `groupLimit`: groups of the whole result, with measures of each. */
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import type {
  CalendarUnit,
  GroupKey,
  GroupOrder,
  GroupRequest,
  Measure,
  ValueKind,
} from '@worldwright/core/store'
import {
  QUERY_DEFAULT_GROUPS,
  QUERY_MAX_GROUP_KEYS,
  QUERY_MAX_GROUPS,
  QUERY_MAX_MEASURES,
  QUERY_MAX_SORT_KEYS,
} from './limits.ts'
import { pathFromProperty, shownPath } from './property-path.ts'
import type { ReadContext } from './read-context.ts'
import { COUNTED, RANGED } from './read-facets.ts'
import { readProperty } from './read-property.ts'
import { noOthers, readKind } from './read-sort.ts'

/** Units of the calendar, longest first. */
export const UNITS: readonly CalendarUnit[] = ['year', 'quarter', 'month', 'week', 'day', 'hour']

/** Kinds of values that each operation of a measure takes. */
const MEASURED = {
  count: COUNTED,
  distinct: COUNTED,
  sum: ['number'],
  avg: ['number'],
  min: RANGED,
  max: RANGED,
  median: ['number'],
} as const satisfies Readonly<Record<Measure['op'], readonly ValueKind[]>>
/** Operations of measures. */
export const MEASURES = Object.keys(MEASURED) as readonly Measure['op'][]

const MAX_CELL_DEGREES = 90
const KEY_FORM =
  'a key is "year", { property, width: 10 }, { property, unit: "month" } or { property, cells: 5 }'
const MEASURE_FORM = `a measure is { op: "avg", property: "rating" }; op is ${MEASURES.join(', ')}`

/** Reads the requested groups. Returns undefined if there are neither keys nor measures, or if a fault was added. */
export function readGroups(
  given: ReadonlyMap<string, JsonValue>,
  context: ReadContext,
): GroupRequest | undefined {
  const listed = <T>(name: string, max: number, form: string, read: ReadItem<T>) =>
    readList(given.get(name) ?? [], `/${name}`, { max, form }, read, context)
  const keys = listed('group', QUERY_MAX_GROUP_KEYS, KEY_FORM, readKey)
  const measures = listed('measures', QUERY_MAX_MEASURES, MEASURE_FORM, readMeasure)
  const limit = readGroupLimit(given.get('groupLimit') ?? QUERY_DEFAULT_GROUPS, context)
  const isAsked = ['group', 'measures'].some((name) => [given.get(name) ?? []].flat().length > 0)
  for (const name of ['groupSort', 'groupLimit'])
    if (!isAsked && given.has(name))
      context.faults.add(`/${name}`, 'not_allowed', `${name} needs groups: give group or measures`)
  const form = 'groupSort is a list of count, key and measures, such as ["-avg:rating", "key"]'
  const sort = listed('groupSort', QUERY_MAX_SORT_KEYS, form, (value, pointer) =>
    readOrder(value, pointer, measures, context),
  )
  if (!isAsked) return undefined
  return { keys, measures, sort: sort.length > 0 ? sort : [{ by: 'count', descending: true }], limit }
}

type ReadItem<T> = (value: JsonValue, pointer: string, context: ReadContext) => T | undefined

function readList<T>(
  value: JsonValue,
  pointer: string,
  { max, form }: { max: number; form: string },
  read: ReadItem<T>,
  context: ReadContext,
): T[] {
  if (!Array.isArray(value)) context.faults.add(pointer, 'wrong_type', `this is a list: ${form}`)
  else if (value.length > max) context.faults.add(pointer, 'too_many', `the list has ${max} entries at most`)
  else return value.flatMap((item, index) => read(item, `${pointer}/${index}`, context) ?? [])
  return []
}

function readKey(value: JsonValue, pointer: string, context: ReadContext): GroupKey | undefined {
  const isName = typeof value === 'string'
  if (!isName && !isObject(value)) return context.faults.add(pointer, 'wrong_type', KEY_FORM)
  const { property, kind, ...members } = isName ? { property: value } : value
  const at = isName ? pointer : `${pointer}/property`
  const askable = readProperty(property, at, context)
  const division = readDivision(members, pointer, context)
  if (askable === undefined || division === undefined) return undefined
  const isDate = askable.isDate || kind === 'text'
  const possible = division.by === 'unit' && !isDate ? (['instant'] as const) : DIVIDED[division.by]
  if (division.by === 'unit' && !isDate && [...askable.kinds].join() === 'text') {
    const message = `${shownPath(askable.path)} holds texts that need not be dates: kind: "text" groups those that are`
    return context.faults.add(at, 'wrong_type', message)
  }
  const asked = { pointer: at, kind, kindPointer: `${pointer}/kind` }
  const found = readKind(askable, possible, asked, context)
  return found && ({ property: askable.path, kind: found, ...division } as GroupKey)
}

/** Division of the values of a key, and the kinds of values that it takes. */
type Division =
  | { readonly by: 'value' }
  | { readonly by: 'width'; readonly width: number; readonly origin: number }
  | { readonly by: 'unit'; readonly unit: CalendarUnit }
  | { readonly by: 'cells'; readonly degrees: number }

const DIVIDED: Readonly<Record<Division['by'], readonly ValueKind[]>> = {
  value: COUNTED,
  width: ['number'],
  unit: ['instant', 'text'],
  cells: ['place'],
}

function readDivision(members: JsonObject, pointer: string, context: ReadContext): Division | undefined {
  const { faults } = context
  const others = (rest: JsonObject) => noOthers(rest, pointer, context)
  if (members['width'] !== undefined) {
    const { width, origin = 0, ...rest } = members
    others(rest)
    const isEdge = typeof origin === 'number' && Number.isFinite(origin)
    if (!isEdge) faults.add(`${pointer}/origin`, 'not_allowed', 'origin is a number, the edge of a bin')
    if (isPositive(width)) return isEdge ? { by: 'width', width, origin } : undefined
    return faults.add(`${pointer}/width`, 'not_allowed', 'width is a number greater than 0, such as 10')
  }
  if (members['unit'] !== undefined) {
    const { unit, ...rest } = members
    others(rest)
    const known = UNITS.find((one) => one === unit)
    if (known) return { by: 'unit', unit: known }
    return faults.add(`${pointer}/unit`, 'not_allowed', `unit is one of ${UNITS.join(', ')}`)
  }
  const { cells, ...rest } = members
  others(rest)
  if (cells === undefined) return { by: 'value' }
  if (isPositive(cells) && cells <= MAX_CELL_DEGREES) return { by: 'cells', degrees: cells }
  const message = `cells is a number of degrees greater than 0, ${MAX_CELL_DEGREES} at most`
  return faults.add(`${pointer}/cells`, 'not_allowed', message)
}

function isPositive(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value)
}

function readMeasure(value: JsonValue, pointer: string, context: ReadContext): Measure | undefined {
  if (!isObject(value)) return context.faults.add(pointer, 'wrong_type', MEASURE_FORM)
  const { op, property, kind, ...others } = value
  noOthers(others, pointer, context)
  const known = MEASURES.find((one) => one === op)
  if (known === undefined) return context.faults.add(`${pointer}/op`, 'not_allowed', MEASURE_FORM)
  const at = `${pointer}/property`
  const askable = readProperty(property, at, context)
  const asked = { pointer: at, kind, kindPointer: `${pointer}/kind` }
  const found = askable && readKind(askable, MEASURED[known], asked, context)
  return found && ({ op: known, property: askable.path, kind: found } as Measure)
}

function readOrder(
  value: JsonValue,
  pointer: string,
  measures: readonly Measure[],
  { faults }: ReadContext,
): GroupOrder | undefined {
  const [, minus, text = ''] = typeof value === 'string' ? (/^(-?)(.*)$/s.exec(value) ?? []) : []
  const descending = minus === '-'
  if (text === 'count' || text === 'key') return { by: text, descending }
  const [, op, name = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? []
  const shown = shownPath(pathFromProperty(name) ?? [name])
  const measure = measures.findIndex((one) => one.op === op && shownPath(one.property) === shown)
  if (measure >= 0) return { by: 'measure', measure, descending }
  const names = ['count', 'key', ...measures.map((one) => `${one.op}:${shownPath(one.property)}`)]
  const message = `groups are ordered by ${names.join(', ')}, or by one of these after a minus`
  return faults.add(pointer, 'not_allowed', message)
}

function readGroupLimit(value: JsonValue, { faults }: ReadContext): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= QUERY_MAX_GROUPS)
    return value
  faults.add('/groupLimit', 'not_allowed', `groupLimit is a whole number from 1 to ${QUERY_MAX_GROUPS}`)
  return QUERY_DEFAULT_GROUPS
}
