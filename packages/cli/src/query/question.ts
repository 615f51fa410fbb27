import {
  type Cql2Expression,
  Cql2SyntaxError,
  parseCql2,
  parseProperty,
  parseSort,
  type SortInput,
} from '@worldwright/client/cql2'
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import { UsageFault, visible, widthOf } from '@worldwright/serve/terminal'
import { groupsFrom, type TypedGroups } from './typed-groups.ts'

/** Query options as given on the command line. */
export interface TypedQuestion extends TypedGroups {
  readonly type?: readonly string[]
  readonly text?: string
  readonly similar?: string
  readonly sort?: string
  readonly facet?: readonly string[]
  readonly histogram?: readonly string[]
  readonly referrers?: string
  readonly fields?: string
  readonly limit?: number
  readonly cursor?: string
  readonly all?: boolean
}

/** Returns the input of a query. @throws UsageFault that marks the position of a syntax error */
export function questionFrom(condition: string | undefined, typed: TypedQuestion): JsonObject {
  const { type, text, similar, sort, facet = [], histogram = [], referrers, fields, limit, cursor } = typed
  const facets: JsonValue[] = [
    ...facet.map((name) => read(name, parseProperty)).map(facetOf),
    ...histogram.map((name) => ({ property: read(name, parseProperty), histogram: HISTOGRAM_LINES })),
    ...(referrers === undefined ? [] : [{ referrers: referenceFrom(referrers, '--referrers') }]),
  ]
  const groups = groupsFrom(typed, read)
  // A query for groups lists entities only if it has a limit, or --all.
  const isGrouped = 'group' in groups || 'measures' in groups
  return {
    ...groups,
    ...(isGrouped && !typed.all && { limit: 0 }),
    ...(type && { types: [...type] }),
    ...(text !== undefined && { text }),
    ...(similar !== undefined && { similar: referenceFrom(similar, '--similar') }),
    ...(condition !== undefined && { where: read<Cql2Expression>(condition, parseCql2) }),
    ...(sort !== undefined && { sort: read<SortInput[]>(sort, parseSort) }),
    ...(facets.length > 0 && { facets }),
    ...(fields !== undefined && { fields: propertiesFrom(fields) }),
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  }
}

const HISTOGRAM_LINES = 12

function facetOf(property: string | string[]): JsonValue {
  return typeof property === 'string' ? property : { property }
}

function propertiesFrom(text: string): (string | string[])[] {
  return read(text, (names) => names.split(',').map((name) => parseProperty(name.trim())))
}

/** Parses a type and an id separated by a slash. The id may contain further slashes. */
function referenceFrom(text: string, option: string): JsonObject {
  const slash = text.indexOf('/')
  if (slash < 1) throw new UsageFault(`${option} takes a type and an id, such as sol:planet/saturn`)
  return { type: text.slice(0, slash), id: text.slice(slash + 1) }
}

function read<T>(text: string, parse: (text: string) => T): T {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof Cql2SyntaxError)) throw error
    const { message, position, length } = error
    const columns = (from: number, to: number) => widthOf(visible(text.slice(from, to)))
    const mark = '^'.repeat(Math.max(1, columns(position, position + length)))
    throw new UsageFault(`${message}\n  ${text}\n  ${' '.repeat(columns(0, position))}${mark}`)
  }
}
