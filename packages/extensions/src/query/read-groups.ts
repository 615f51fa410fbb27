/** Reads `group`, `measures`, `groupSort` and `groupLimit`: groups of the whole result, with measures of each. */
import { isObject, type JsonValue } from '@worldwright/client/protocol'
import type {
  CalendarUnit,
  GroupKey,
  GroupOrder,
  GroupRequest,
  Measure,
  ValueKind,
} from '@worldwright/core/store'
import type { InputFaults } from './input-faults.ts'
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
import { readCount, readList } from './read-list.ts'
import { readProperty } from './read-property.ts'
import { noOthers, readKind, readValues } from './read-sort.ts'

const UNITS: readonly CalendarUnit[] = ['year', 'quarter', 'month', 'week', 'day', 'hour']
const MAX_CELL_DEGREES = 90

/** Divisions of the values of a key: the kinds that they accept, and the check of the member that selects one. */
const DIVISIONS: Readonly<Record<'width' | 'unit' | 'cells', Division>> = {
  width: { kinds: ['number'], fits: isPositive, form: 'width is a number greater than 0, such as 10' },
  unit: {
    kinds: ['instant', 'text'],
    fits: (value) => UNITS.some((unit) => unit === value),
    form: `unit is one of ${UNITS.join(', ')}`,
  },
  cells: {
    kinds: ['place'],
    fits: (value) => isPositive(value) && value <= MAX_CELL_DEGREES,
    form: `cells is a number of degrees greater than 0, ${MAX_CELL_DEGREES} at most`,
  },
}

interface Division {
  readonly kinds: readonly ValueKind[]
  readonly fits: (value: JsonValue | undefined) => boolean
  readonly form: string
}

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
/** Operations of measures, in the order of messages. */
export const MEASURES = Object.keys(MEASURED) as readonly Measure['op'][]

const KEY_FORM =
  'a key is "year", { property, width: 10 }, { property, unit: "month" } or { property, cells: 5 }'
const MEASURE_FORM = `a measure is { op: "avg", property: "rating" }; op is ${MEASURES.join(', ')}`

/** Reads the requested groups. Returns undefined if there are neither keys nor measures, or if a fault was added. */
export function readGroups(
  given: ReadonlyMap<string, JsonValue>,
  context: ReadContext,
): GroupRequest | undefined {
  const { faults } = context
  const listed = <T>(
    name: string,
    max: number,
    form: string,
    read: (item: JsonValue, at: string) => T | undefined,
  ) => readList(given.get(name) ?? [], `/${name}`, { max, form, faults }, read)
  const keys = listed('group', QUERY_MAX_GROUP_KEYS, `group is a list, in which ${KEY_FORM}`, (item, at) =>
    readKey(item, at, context),
  )
  const measures = listed(
    'measures',
    QUERY_MAX_MEASURES,
    `measures is a list, in which ${MEASURE_FORM}`,
    (item, at) => readMeasure(item, at, context),
  )
  const orders = 'groupSort is a list of count, key and measures, such as ["-avg:rating", "key"]'
  const sort = listed('groupSort', QUERY_MAX_SORT_KEYS, orders, (item, at) =>
    readOrder(item, at, measures, faults),
  )
  const limited = given.get('groupLimit') ?? QUERY_DEFAULT_GROUPS
  const form = `groupLimit is a whole number from 1 to ${QUERY_MAX_GROUPS}`
  const limit = readCount(limited, '/groupLimit', { max: QUERY_MAX_GROUPS, form, faults })
  if (['group', 'measures'].some((name) => [given.get(name) ?? []].flat().length > 0))
    return { keys, measures, sort: sort.length > 0 ? sort : [{ by: 'count', descending: true }], limit }
  for (const name of ['groupSort', 'groupLimit'])
    if (given.has(name)) faults.add(`/${name}`, 'not_allowed', `${name} needs groups: give group or measures`)
  return undefined
}

function readKey(value: JsonValue, pointer: string, context: ReadContext): GroupKey | undefined {
  const { faults } = context
  const isName = typeof value === 'string'
  if (!isName && !isObject(value)) return faults.add(pointer, 'wrong_type', KEY_FORM)
  const { property, kind, ...members } = isName ? { property: value } : value
  const by = (['width', 'unit', 'cells'] as const).find((name) => members[name] !== undefined)
  const { [by ?? 'width']: divided, ...others } = members
  const { origin = 0, ...further } = others
  noOthers(by === 'width' ? further : others, pointer, context)
  const at = isName ? pointer : `${pointer}/property`
  const askable = readProperty(property, at, context)
  if (by && !DIVISIONS[by].fits(divided))
    return faults.add(`${pointer}/${by}`, 'not_allowed', DIVISIONS[by].form)
  if (typeof origin !== 'number' || !Number.isFinite(origin))
    return faults.add(`${pointer}/origin`, 'not_allowed', 'origin is a number, an edge of a bin, such as 0')
  if (askable === undefined) return undefined
  // Texts that need not be dates are divided by units only on request.
  const isTime = by === 'unit' && kind !== 'text' && !askable.isDate
  if (isTime && [...askable.kinds].join() === 'text') {
    const message = `${shownPath(askable.path)} holds texts that need not be dates; kind: "text" groups those that are`
    return faults.add(at, 'wrong_type', message)
  }
  const possible = isTime ? (['instant'] as const) : by ? DIVISIONS[by].kinds : COUNTED
  const found = readKind(askable, kind, possible, pointer, context, at)
  const how = { width: { width: divided, origin }, unit: { unit: divided }, cells: { degrees: divided } }
  return found && ({ by: by ?? 'value', property: askable.path, kind: found, ...(by && how[by]) } as GroupKey)
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
  const found = readValues({ property, kind }, MEASURED[known], pointer, context)
  return found && ({ op: known, property: found.path, kind: found.kind } as Measure)
}

function readOrder(
  value: JsonValue,
  pointer: string,
  measures: readonly Measure[],
  faults: InputFaults,
): GroupOrder | undefined {
  const [, minus, text = ''] = typeof value === 'string' ? (/^(-?)(.*)$/s.exec(value) ?? []) : []
  const descending = minus === '-'
  if (text === 'count' || text === 'key') return { by: text, descending }
  const [, op, name = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? []
  const shown = shownPath(pathFromProperty(name) ?? [name])
  const measure = measures.findIndex((one) => one.op === op && shownPath(one.property) === shown)
  if (measure >= 0) return { by: 'measure', measure, descending }
  const names = ['count', 'key', ...measures.map((one) => `${one.op}:${shownPath(one.property)}`)]
  const message = `groups are ordered by ${names.join(', ')}, each with an optional minus; add other measures to measures first`
  return faults.add(pointer, 'not_allowed', message)
}
