/** Reads `--group`, `--measure` and `--group-sort`. */
import { parseProperty } from '@worldwright/client/cql2'
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import { UsageFault } from '@worldwright/serve/terminal'

/** Options about groups as given on the command line. */
export interface TypedGroups {
  readonly group?: readonly string[]
  readonly measure?: readonly string[]
  readonly groupSort?: string
  readonly groupLimit?: number
}

/** Division of a key, after the last colon outside of quotes. */
const DIVISION =
  /^(?:(?<width>\d*\.?\d+)(?::(?<origin>-?\d*\.?\d+))?|(?<unit>year|quarter|month|week|day|hour)|(?<cells>\d*\.?\d+)deg)$/
/** A property, in which names may be quoted, then its division. */
const KEY = /^((?:[^":]|"(?:[^"]|"")*")+)(?::(.*))?$/s

/** Returns the members of a query's input that form groups. `read` reports syntax errors of names. @throws UsageFault */
export function groupsFrom(
  { group = [], measure = [], groupSort, groupLimit }: TypedGroups,
  read: <T>(text: string, parse: (text: string) => T) => T,
): JsonObject {
  const named = (text: string) => read(text, parseProperty)
  // Every group has its count anyway, so a bare `count` adds no measure.
  const measures = measure
    .filter((text) => text !== 'count')
    .map((text) => measureFrom(text, named, '--measure'))
  return {
    ...(group.length > 0 && { group: group.map((text) => keyFrom(text, named)) }),
    ...(measures.length > 0 && { measures: measures.map(({ op, property }) => ({ op, property })) }),
    ...(groupSort !== undefined && {
      groupSort: groupSort.split(',').map((text) => orderFrom(text.trim(), named)),
    }),
    ...(groupLimit !== undefined && { groupLimit }),
  }
}

type Named = (text: string) => string | string[]

function keyFrom(text: string, named: Named): JsonValue {
  const [, name = text, division] = KEY.exec(text) ?? []
  const property = named(name)
  if (division === undefined) return typeof property === 'string' ? property : { property }
  const { width, origin, unit, cells } = DIVISION.exec(division)?.groups ?? {}
  if (width !== undefined)
    return { property, width: Number(width), ...(origin !== undefined && { origin: Number(origin) }) }
  if (cells !== undefined) return { property, cells: Number(cells) }
  if (unit !== undefined) return { property, unit }
  throw new UsageFault(
    `--group ${text}: after the colon comes a width (year:10, or year:10:5 with bins from 5), a unit (born:year, quarter, month, week, day or hour) or degrees of a map (place:5deg). A name with a colon goes in quotes: --group '"${text}"'`,
  )
}

function measureFrom(
  text: string,
  named: Named,
  option: string,
): { op: string; property: string | string[] } {
  const [, op = '', name = ''] = /^([a-z]+):(.+)$/s.exec(text) ?? []
  if (op === '')
    throw new UsageFault(
      `${option} ${text}: a measure is an operation and a property, such as avg:rating; the operations are count, distinct, sum, avg, min, max and median`,
    )
  return { op, property: named(name) }
}

function orderFrom(text: string, named: Named): string {
  const [, minus = '', order = ''] = /^(-?)(.*)$/s.exec(text) ?? []
  if (order === 'count' || order === 'key') return text
  const { op, property } = measureFrom(order, named, '--group-sort')
  return `${minus}${op}:${typeof property === 'string' ? property : JSON.stringify(property)}`
}
