/** The tool `query`: entities by condition and order, and groups of them. */
import type { AnyTypes, QueryInput } from '@worldwright/client'
import { parseCql2 } from '@worldwright/client/cql2'
import { type Entity, isObject, type JsonObject } from '@worldwright/client/protocol'
import { groupTable, type QueryOutput } from '@worldwright/client/query'
import { attributesOf, type OpenWorld } from './agent-world.ts'
import type { Answer } from './answer.ts'
import { refuseUnlisted } from './faults.ts'
import { namedProperties } from './named-properties.ts'
import { addressText, callText, number, parts, quoted, valueText, word } from './text.ts'
import { type Asked, moreText, placeOf, TEXT, TEXTS, type Tool, ToolFault, textsOf } from './tool.ts'

/** Maximum number of columns if the call names no fields. */
const MAX_COLUMNS = 6

/** Answers structured questions, in worlds that declare `worldwright:query`. */
export const query: Tool = {
  name: 'query',
  description:
    "Exact questions. where: CQL2 text, e.g. radiusKm > 9 AND kind IN ('a','b') AND title LIKE 'S%' AND orbits = entity('type','id'); orbits.massKg follows a reference. group: \"name\", {property,width} or {property,unit:\"year\"}; without it, measures of all.",
  properties: {
    types: TEXTS,
    where: TEXT,
    text: TEXT,
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
    cursor: TEXT,
  },
  isOf: ({ hasQuery }) => hasQuery,
  answer: queried,
}

async function queried({ on, args, signal }: Asked): Promise<Answer> {
  const { cursor: _, where, limit, ...others } = args
  const { skip, ...at } = placeOf(args['cursor'])
  const isGrouped = others['group'] !== undefined || others['measures'] !== undefined
  const columns = columnsOf(on, args)
  const input = {
    ...others,
    ...at,
    ...(where && { where: parseCql2(String(where)) }),
    ...(isGrouped ? { limit: 0, groupLimit: limit } : { limit, fields: columns }),
  } as QueryInput<AnyTypes>
  const output = await on.world.query(input, { signal }).page()
  if (output.total === 0) refuseUnlisted(on, 'query', args)
  if (isGrouped) return groupsIn(output, args)
  const { entities, total, totalIsLowerBound, partial } = output
  const [only, ...more] = textsOf(args['types'])
  const isOne = only !== undefined && more.length === 0
  const heading = [isOne ? `id (${word(only)})` : 'type/id', 'title', ...columns.map((name) => word(name))]
  const count = parts(totalIsLowerBound && 'at least', `${number(total)} found`, partial && '(out of time)')
  return {
    head: `${count}. Columns: ${heading.join('|')}`,
    rows: entities.slice(skip).map((entity) => rowText(entity, isOne, columns)),
    tail: (shown) => [moreText({ tool: 'query', args }, output, shown)],
  }
}

/** Returns the fields of the call, or else the properties in its condition and order, then the first of its only type. */
function columnsOf({ types }: OpenWorld, args: JsonObject): string[] {
  if (args['fields'] !== undefined) return textsOf(args['fields'])
  const [only, ...more] = types.filter(({ type }) => textsOf(args['types']).includes(type))
  const first =
    only && more.length === 0 ? attributesOf(only).filter(({ kind }) => !kind.startsWith('list')) : []
  const names = new Set([...namedProperties(args), ...first.map(({ name }) => name)])
  for (const name of ['type', 'id', 'title', 'relevance']) names.delete(name)
  return [...names].slice(0, MAX_COLUMNS)
}

function rowText(
  { type, id, title, attributes }: Entity,
  isOne: boolean,
  columns: readonly string[],
): string {
  // A path through a reference is an attribute of its own.
  const value = (path: string) =>
    attributes?.[path] ??
    path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), attributes)
  const address = isOne ? word(id) : addressText({ type, id })
  return [
    address,
    title ? quoted(`${title}`, 80) : '',
    ...columns.map((path) => valueText(value(path), 80)),
  ].join('|')
}

function groupsIn(output: QueryOutput, args: JsonObject): Answer {
  const { columns, rows } = groupTable(output)
  const all = Number.isSafeInteger(output.groupsTotal) ? Number(output.groupsTotal) : rows.length
  const ignored = (output.measures ?? [])
    .filter((one) => one.ignored)
    .map(
      ({ op, ignored }) =>
        ` ${word(`${op}`, 20)} leaves out ${number(ignored)} entities with values of another kind.`,
    )
  const more = callText('query', { ...args, limit: Math.min(1_000, all), budget: 8000 })
  return {
    head: `${number(output.total)} entities in ${all} groups.${ignored.join('')} Columns: ${columns.map((name) => word(name, 60)).join('|')}`,
    rows: rows.map((row) => row.map((value) => valueText(value, 80)).join('|')),
    tail: (shown) => [shown < all && `${all - shown} more groups: ${more}`],
  }
}

/** Returns the fault of a query in a world that answers none. */
export function noQuery({ text, types }: JsonObject): ToolFault {
  return new ToolFault(
    `This world answers no queries. This works: ${callText('search', { types, text })}, with fields to compare the values.`,
  )
}
