/** Naive groups over plain documents, with exact sums. */
import { isDay } from '@worldwright/core/store'
import type {
  CalendarUnit,
  Group,
  GroupKey,
  GroupRequest,
  GroupResult,
  Measure,
  Point,
  PropertyPath,
  ValueKind,
} from '../port/conditions.ts'
import { nearestDouble, wholeOf } from './exact-rational.fixture.ts'
import { type Comparable, compare, type PlainDocuments } from './plain-values.fixture.ts'

/** A value of a key in comparable form. */
type KeyValue = Comparable | Point | null

/** A group with the indexes of its documents. */
interface PlainGroup {
  readonly key: readonly KeyValue[]
  readonly documents: number[]
}

/** Groups the documents whose indexes are in `found`. */
export function groupsOf(
  { keys, measures, sort, limit }: GroupRequest,
  documents: PlainDocuments,
  found: readonly number[],
): GroupResult {
  const groups = new Map<string, PlainGroup>()
  if (keys.length === 0) groups.set('[]', { key: [], documents: [] })
  const keysOfAll = keys.map((key) => documents.all.map((_, at) => keyValues(key, documents, at)))
  for (const at of found) {
    let combined: KeyValue[][] = [[]]
    for (const ofAll of keysOfAll)
      combined = combined.flatMap((key) => (ofAll[at] ?? []).map((value) => [...key, value]))
    for (const key of combined) {
      const name = JSON.stringify(key)
      const group = groups.get(name) ?? { key, documents: [] }
      groups.set(name, group)
      group.documents.push(at)
    }
  }
  const all = [...groups.values()].map((group) => ({
    ...group,
    measures: measures.map((measure) => measureOf(measure, documents, group.documents)),
  }))
  const byKey = { by: 'key', descending: false } as const
  all.sort((left, right) => {
    for (const order of [...sort, byKey]) {
      const pairs: (readonly [KeyValue, KeyValue])[] =
        order.by === 'key'
          ? left.key.map((value, at) => [value, right.key[at] ?? null])
          : order.by === 'measure'
            ? [[left.measures[order.measure] ?? null, right.measures[order.measure] ?? null]]
            : [[left.documents.length, right.documents.length]]
      for (const [one, other] of pairs) {
        const difference = compareValues(one, other, order.descending)
        if (difference !== 0) return difference
      }
    }
    return 0
  })
  const shown = all.slice(0, limit).map(
    (group): Group => ({
      key: group.key.map((value, at) => shownKey(keys[at] as GroupKey, value)),
      count: group.documents.length,
      measures: group.measures,
    }),
  )
  const ignored = measures.map(
    ({ property, kind }) => found.filter((at) => hasOther(property, kind, documents, at)).length,
  )
  return { groups: shown, total: all.length, ignored }
}

function compareValues(left: KeyValue, right: KeyValue, descending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  const order =
    typeof left === 'object' && typeof right === 'object'
      ? left.latitude - right.latitude || left.longitude - right.longitude
      : compare(left as Comparable, right as Comparable)
  return descending ? -order : order
}

function shownKey(key: GroupKey, value: KeyValue): Group['key'][number] {
  if (key.by !== 'value' || key.kind !== 'reference' || value === null) return value
  const [type = '', ...rest] = String(value).split(' ')
  return { type, id: rest.join(' ') }
}

/** Returns the distinct keys of a document, or null if it has none. */
function keyValues(key: GroupKey, documents: PlainDocuments, at: number): KeyValue[] {
  const values = valuesOf(key, documents, at)
  const distinct = values.filter(
    (value, place) => values.findIndex((each) => JSON.stringify(each) === JSON.stringify(value)) === place,
  )
  return distinct.length > 0 ? distinct : [null]
}

function valuesOf(key: GroupKey, documents: PlainDocuments, at: number): KeyValue[] {
  const of = (kind: ValueKind) => valuesAt(documents, key.property, kind, at)
  switch (key.by) {
    case 'value':
      return of(key.kind)
    case 'width':
      return of('number').map((value) => plainEdge(Number(value), key.origin, key.width))
    case 'unit': {
      const instants = of(key.kind).flatMap((value) => {
        if (typeof value === 'string') return isDay(value) ? Date.parse(value) : []
        return Number(value)
      })
      return instants.map((instant) => plainUnit(instant, key.unit))
    }
    case 'cells': {
      const { values, of: places } = documents.places(key.property)
      return (places[at] ?? []).map((ordinal) => plainCell(values[ordinal] as Point, key.degrees))
    }
  }
}

function valuesAt(
  documents: PlainDocuments,
  property: PropertyPath,
  kind: ValueKind,
  at: number,
): Comparable[] {
  const { values, of } = documents.column(property, kind)
  return (of[at] ?? []).map((ordinal) => plus(values[ordinal] as Comparable))
}

/** Replaces −0 by 0. */
function plus(value: Comparable): Comparable {
  return value === 0 ? 0 : value
}

/** Returns the edge of the first bin that ends after a value, as documented for `GroupKey`. */
export function plainEdge(value: number, origin: number, width: number): number {
  const far = width * 2 ** 50
  if (Math.abs(value) >= far || Math.abs(origin) >= far || !Number.isFinite(value - origin)) return value
  let n = Math.round((value - origin) / width) - 4
  while (origin + (n + 1) * width <= value) n += 1
  return origin + n * width + 0
}

/** Returns the first millisecond of a unit, found in the text of the date. */
export function plainUnit(instant: number, unit: CalendarUnit): number {
  const date = new Date(Math.floor(instant))
  const text = date.toISOString()
  const [day = '', time = ''] = text.split('T')
  const [month = ''] = day.split('-').slice(-2)
  const year = day.slice(0, -6)
  switch (unit) {
    case 'year':
      return Date.parse(`${year}-01-01T00:00:00Z`)
    case 'quarter': {
      const first = {
        '02': '01',
        '03': '01',
        '05': '04',
        '06': '04',
        '08': '07',
        '09': '07',
        11: '10',
        12: '10',
      }[month]
      return Date.parse(`${year}-${first ?? month}-01T00:00:00Z`)
    }
    case 'month':
      return Date.parse(`${year}-${month}-01T00:00:00Z`)
    case 'week': {
      let monday = Date.parse(`${day}T00:00:00Z`)
      while (new Date(monday).getUTCDay() !== 1) monday -= 86_400_000
      return monday
    }
    case 'day':
      return Date.parse(`${day}T00:00:00Z`)
    case 'hour':
      return Date.parse(`${day}T${time.slice(0, 2)}:00:00Z`)
  }
}

/** Returns the south-western corner of a cell. The pole is in the cell to its south, and 180° is −180°. */
export function plainCell({ longitude, latitude }: Point, degrees: number): Point {
  let south = plainEdge(latitude, 0, degrees)
  if (latitude === 90 && south === 90) south = plainEdge(90 - 2 ** -46, 0, degrees)
  return { longitude: plainEdge(longitude === 180 ? -180 : longitude, 0, degrees), latitude: south }
}

function measureOf(
  { op, property, kind }: Measure,
  documents: PlainDocuments,
  group: readonly number[],
): number | string | null {
  const values = group.flatMap((at) => valuesAt(documents, property, kind, at))
  if (op === 'count') return group.filter((at) => valuesAt(documents, property, kind, at).length > 0).length
  if (op === 'distinct') return new Set(values).size
  if (values.length === 0) return null
  const sorted = [...values].sort(compare) as number[]
  const exactSum = (summed: readonly number[]) => summed.reduce((sum, value) => sum + wholeOf(value), 0n)
  switch (op) {
    case 'min':
      return sorted[0] as number | string
    case 'max':
      return sorted.at(-1) as number | string
    case 'sum':
      return nearestDouble(exactSum(sorted), 1n)
    case 'avg':
      return nearestDouble(exactSum(sorted), BigInt(sorted.length))
    case 'median': {
      const middle = [sorted[(sorted.length - 1) >> 1] as number, sorted[sorted.length >> 1] as number]
      return nearestDouble(exactSum(middle), 2n)
    }
  }
}

/** Reports whether a document has a value of another kind. A time has both kinds, `instant` and `text`. */
function hasOther(property: PropertyPath, kind: ValueKind, documents: PlainDocuments, at: number): boolean {
  const has = (other: ValueKind) =>
    other === 'place'
      ? property !== 'type' && property !== 'id' && documents.places(property).of[at]?.length !== 0
      : valuesAt(documents, property, other, at).length > 0
  return (['number', 'instant', 'boolean', 'text', 'reference', 'place'] as const).some((other) => {
    if (other === kind || (kind === 'text' && other === 'instant')) return false
    return has(other) && !(kind === 'instant' && other === 'text' && has('instant'))
  })
}
