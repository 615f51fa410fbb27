/** Formats a query result as a table with one row per entity and one column per queried attribute. */
import type { Entity } from '@worldwright/client'
import { cql2Property } from '@worldwright/client/cql2'
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { type Io, jsonText, tableLines } from '@worldwright/serve/terminal'

type Path = readonly string[]

/** Maximum number of attribute columns if the query names no fields. Wider tables are hard to read. */
const MAX_COLUMNS = 6
const LEFT_OUT = new Set(['type', 'id', 'title', 'attributes'])

/** Returns the attributes to show: the query's fields, or else the properties in its condition and sort order. */
export function columnsOf({ fields, where, sort }: JsonObject): Path[] {
  const named = Array.isArray(fields) ? fields : [...propertiesIn(where), ...propertiesIn(sort)]
  const paths = named.map(pathOf).filter((path) => !LEFT_OUT.has(path.join('.')))
  const distinct = new Map(paths.map((path) => [JSON.stringify(path), path]))
  return Array.isArray(fields) ? [...distinct.values()] : [...distinct.values()].slice(0, MAX_COLUMNS)
}

/** Adds `fields` to a query without them if a column may be of referenced entities, whose values come only as fields. */
export function withColumns(input: JsonObject): JsonObject {
  const columns = columnsOf(input)
  const isPlain = columns.every((path) => path.length < 2) || columns.some(([name = '']) => OWN.has(name))
  if (input['fields'] !== undefined || isPlain) return input
  return { ...input, fields: columns.map((path) => [...path]) }
}

/** Formats a heading and one line per entity. `withType` adds a column for the type. */
export function resultTable(
  entities: readonly Entity[],
  columns: readonly Path[],
  io: Io,
  withType: boolean,
): string[] {
  const hasTitle = entities.some(({ title }) => title !== undefined)
  const first = [...(withType ? ['type'] : []), 'id', ...(hasTitle ? ['title'] : [])] as const
  const heading = [
    ...first.map((name) => name.toUpperCase()),
    ...columns.map((path) => cql2Property([...path])),
  ]
  const rows = entities.map((entity) => [
    ...first.map((name) => String(Object(entity)[name] ?? '')),
    ...columns.map((path) => cellOf(shownAt(Object(entity), path))),
  ])
  return tableLines(io.stdout, heading, rows)
}

/** Returns the paths of all properties that a query names. */
export function pathsIn({ fields, where, sort, facets, group, measures }: JsonObject): Path[] {
  const named = [where, sort, facets, group, measures].flatMap((part) => [...propertiesIn(part)])
  return [...named, ...(Array.isArray(fields) ? fields : [])].map(pathOf)
}

function* propertiesIn(value: JsonValue | undefined): Generator<JsonValue> {
  if (typeof value === 'string') {
    if (value !== 'relevance') yield value.replace(/^-/, '')
    return
  }
  if (Array.isArray(value)) {
    for (const item of value) yield* isObject(item) ? propertiesIn(item) : []
    for (const item of value) if (typeof item === 'string') yield* propertiesIn(item)
  } else if (isObject(value)) {
    if (value['property'] !== undefined) yield value['property']
    // Skip strings among the arguments, which are values rather than names.
    if (Array.isArray(value['args'])) yield* propertiesIn(value['args'].filter(isObject))
  }
}

function pathOf(property: JsonValue): Path {
  const names = typeof property === 'string' ? property.split('.') : property
  return Array.isArray(names) ? names.map(String) : []
}

const OWN = new Set(['createdAt', 'updatedAt', 'attributes'])

/** Returns the values of an entity at a path. The elements of lists are values of their own. */
export function valuesAt(entity: JsonObject, path: Path): JsonValue[] {
  const isOwn = OWN.has(path[0] ?? '')
  return within(isOwn ? entity : (entity['attributes'] ?? null), path)
}

function within(value: JsonValue, [name, ...others]: Path): JsonValue[] {
  if (Array.isArray(value))
    return value.flatMap((item) => within(item, name === undefined ? [] : [name, ...others]))
  if (name === undefined) return [value]
  return isObject(value) && Object.hasOwn(value, name) ? within(value[name] ?? null, others) : []
}

/** Returns the values of a column. A field of referenced entities is an attribute named by its path. */
function shownAt(entity: JsonObject, path: Path): JsonValue[] {
  const own = valuesAt(entity, path)
  return own.length > 0 ? own : valuesAt(entity, [path.join('.')])
}

function cellOf(values: readonly JsonValue[]): string {
  return values
    .map((value) => {
      if (typeof value === 'string') return value
      const { type, id } = isObject(value) ? value : {}
      return typeof type === 'string' && typeof id === 'string' ? `${type} ${id}` : jsonText(value)
    })
    .join(', ')
}
