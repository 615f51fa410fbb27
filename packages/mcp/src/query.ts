/** The tool `query`: entities by condition and order, and groups of them. */
import type { AnyTypes, QueryInput } from '@worldwright/client'
import { parseCql2 } from '@worldwright/client/cql2'
import type { Entity, JsonObject, JsonValue } from '@worldwright/client/protocol'
import { groupTable, type QueryOutput } from '@worldwright/client/query'
import { attributesOf, type OpenWorld } from './agent-world.ts'
import type { Answer } from './answer.ts'
import { refuseUnlisted } from './faults.ts'
import { propertiesIn } from './named-properties.ts'
import { addressText, callText, quoted, valueText, word } from './text.ts'
import { type Asked, placeAfter, placeOf, TEXTS, type Tool, ToolFault, textOf, textsOf } from './tool.ts'

/** Maximum number of columns if the call names no fields. */
const MAX_COLUMNS = 6
/** Default number of entities. */
const LIMIT = 50

/** Answers structured questions, in worlds that declare `worldwright:query`. */
export const query: Tool = {
  name: 'query',
  description:
    "Exact questions. where: CQL2 text, e.g. radiusKm > 9 AND kind IN ('a','b') AND title LIKE 'S%' AND orbits = entity('type','id'); orbits.massKg follows a reference. group: \"name\", {property,width} or {property,unit:\"year\"}.",
  properties: {
    types: TEXTS,
    where: { type: 'string' },
    text: { type: 'string' },
    fields: TEXTS,
    sort: { ...TEXTS, description: '-name: descending' },
    group: { type: 'array', items: {} },
    measures: {
      type: 'array',
      items: { type: 'object' },
      description: '{op: count|distinct|sum|avg|min|max|median, property}',
    },
    groupSort: { ...TEXTS, description: 'count, key, -avg:name' },
    limit: { type: 'integer' },
    cursor: { type: 'string' },
  },
  isSafe: true,
  isOf: ({ hasQuery }) => hasQuery,
  answer: queried,
}

async function queried({ on, args, signal }: Asked): Promise<Answer> {
  const place = placeOf(args['cursor'])
  const { cursor: _, where, group, measures, groupSort, ...others } = args
  const types = textsOf(args['types'])
  const condition = textOf(where) === undefined ? undefined : parseCql2(String(where))
  const isGrouped = group !== undefined || measures !== undefined
  const columns = columnsOf(on, types, args, condition)
  const input = {
    ...others,
    ...(condition && { where: condition }),
    ...(isGrouped
      ? { group, measures, groupSort, limit: 0 }
      : { limit: args['limit'] ?? LIMIT, fields: columns }),
    ...(isGrouped && args['limit'] !== undefined && { groupLimit: args['limit'] }),
    ...(place.cursor !== undefined && { cursor: place.cursor }),
  } as QueryInput<AnyTypes>
  const output = await on.world.query(input, { signal }).page()
  if (output.total === 0) refuseUnlisted(on, 'query', args)
  return isGrouped ? groupsIn(output, args) : entitiesIn(on, output, types, columns, place, args)
}

function entitiesIn(
  on: OpenWorld,
  { entities, total, totalIsLowerBound, nextCursor, partial }: QueryOutput,
  types: readonly string[],
  columns: readonly string[],
  place: ReturnType<typeof placeOf>,
  args: JsonObject,
): Answer {
  const isOne = types.length === 1
  const [only] = types
  const head = [
    `${totalIsLowerBound ? 'at least ' : ''}${total} found${partial ? ', the query ran out of time' : ''}. Columns: ${[isOne ? `id (${only})` : 'type/id', 'title', ...columns.map((name) => word(name))].join(' | ')}`,
  ]
  const rows = entities.slice(place.skip).map((entity) => rowText(entity, isOne, columns))
  return {
    head,
    rows,
    tail(shown) {
      const cursor = placeAfter(place, shown, entities.length, nextCursor)
      const more = cursor === undefined ? [] : [`More: ${callText('query', { ...args, cursor })}`]
      const others =
        args['fields'] === undefined && place.skip === 0 && isOne ? otherNames(on, types, columns) : []
      return [...more, ...(others.length > 0 ? [`Other fields: ${others.join(', ')}`] : [])]
    },
  }
}

function rowText(
  { type, id, title, attributes }: Entity,
  isOne: boolean,
  columns: readonly string[],
): string {
  const address = isOne ? word(id) : addressText({ type, id })
  const values = columns.map((name) => valueText(valueAt({ ...attributes }, name), 80))
  return [address, title === undefined ? '' : quoted(title, 80), ...values].join(' | ')
}

/** Returns the value of an attribute, or of a path into it. A path through a reference is an attribute of its own. */
function valueAt(attributes: JsonObject, path: string): JsonValue | undefined {
  if (path in attributes) return attributes[path]
  const [first = '', ...others] = path.split('.')
  const inner = attributes[first]
  return others.length > 0 && inner !== null && typeof inner === 'object' && !Array.isArray(inner)
    ? valueAt(inner, others.join('.'))
    : undefined
}

/** Returns the fields of the call, or else the properties in its condition and order, then the first of its only type. */
function columnsOf(
  on: OpenWorld,
  types: readonly string[],
  args: JsonObject,
  condition?: JsonValue,
): string[] {
  if (args['fields'] !== undefined) return textsOf(args['fields'])
  const asked = [...propertiesIn(condition), ...textsOf(args['sort']).map((key) => key.replace(/^-/, ''))]
  const first = types.length === 1 ? namesOf(on, types) : []
  const left = ['type', 'id', 'title', 'relevance']
  return [...new Set([...asked, ...first])].filter((name) => !left.includes(name)).slice(0, MAX_COLUMNS)
}

/** Returns the names of attributes of types: those with numbers, times and references first, as they are compared most. */
function namesOf({ types }: OpenWorld, names: readonly string[]): string[] {
  const of = types.filter(({ type }) => names.includes(type)).flatMap(attributesOf)
  const isList = ({ kind }: { kind: string }) => kind.startsWith('list')
  return [...of.filter((one) => !isList(one)), ...of.filter(isList)].map(({ name }) => name)
}

function otherNames(on: OpenWorld, types: readonly string[], columns: readonly string[]): string[] {
  return namesOf(on, types)
    .filter((name) => !columns.includes(name))
    .slice(0, 20)
    .map((name) => word(name, 60))
}

function groupsIn(output: QueryOutput, args: JsonObject): Answer {
  const { columns, rows } = groupTable(output)
  const { total, groupsTotal = rows.length, measures = [] } = output
  const ignored = measures
    .filter((one) => one.ignored)
    .map(
      ({ op, property, ignored }) =>
        `${op}:${[property].flat().join('.')} ignores ${ignored} entities with other values`,
    )
  return {
    head: [
      `${total} entities in ${groupsTotal} groups. Columns: ${columns.map((name) => word(name)).join(' | ')}`,
      ...ignored,
    ],
    rows: rows.map((row) => row.map((value) => valueText(value, 80)).join(' | ')),
    tail: (shown) =>
      shown < groupsTotal
        ? [
            `${groupsTotal - shown} more groups: ${callText('query', { ...args, limit: Math.min(1000, groupsTotal), budget: 8000 })}`,
          ]
        : [],
  }
}

/** Returns the fault of a query in a world that answers none. */
export function noQuery(args: JsonObject): ToolFault {
  const { text, types } = args
  const works = callText('search', {
    ...(types !== undefined && { types }),
    ...(text !== undefined && { text }),
  })
  return new ToolFault(
    `This world answers no queries: it has no extension worldwright:query. This works: ${works}, with fields to compare the values yourself.`,
  )
}
