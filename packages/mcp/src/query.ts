import type { AnyTypes, QueryInput } from '@worldwright/client'
import { parseCql2 } from '@worldwright/client/cql2'
import { type Entity, isObject, type JsonObject } from '@worldwright/client/protocol'
import { groupTable, type QueryOutput } from '@worldwright/client/query'
import { attributesOf, type OpenWorld } from './agent-world.ts'
import type { Answer } from './answer.ts'
import { refuseUnlisted } from './faults.ts'
import { namedProperties } from './named-properties.ts'
import { addressText, number, parts, quoted, valueText, word } from './text.ts'
import { type Asked, moreText, placeOf, TEXT, TEXTS, type Tool, ToolFault, textsOf } from './tool.ts'

/** Maximum number of columns if the call names no fields. */
const MAX_COLUMNS = 6

/** Members that each row shows. */
const SHOWN = ['type', 'id', 'title']
/** Maximum number of characters of a condition. */
const MAX_WHERE = 8_192
const PARTIAL =
  'This is no answer: the world ran out of time. Repeat the call, or name fewer types or a where that fits fewer entities. So far:'

/** Answers structured questions, in worlds that declare `worldwright:query`. */
export const query: Tool = {
  name: 'query',
  description:
    "Exact answers, with the count (limit 0: it alone). where: CQL2, e.g. radiusKm > 9 AND kind IN ('a','b') AND title LIKE 'S%' AND orbits = entity('type','id'); orbits.massKg follows a reference. group: \"name\", {property,width} or {property,unit:\"year\"}",
  properties: {
    types: TEXTS,
    where: TEXT,
    text: TEXT,
    fields: TEXTS,
    sort: { ...TEXTS, description: '-name' },
    group: { type: 'array', items: {} },
    measures: {
      type: 'array',
      items: { type: 'object' },
      description: '{op: distinct|sum|avg|min|max|median, property}',
    },
    groupSort: { ...TEXTS, description: '-count, key, avg:name' },
    limit: { type: 'integer' },
    cursor: TEXT,
  },
  isOf: ({ hasQuery }) => hasQuery,
  answer: queried,
}

async function queried(asked: Asked): Promise<Answer> {
  const { on, args, signal } = asked
  const { cursor: _, where = '', limit, measures, ...others } = args
  const { skip, ...at } = placeOf(args['cursor'])
  if (String(where).length > MAX_WHERE) throw new ToolFault(`where has at most ${MAX_WHERE} characters.`)
  // The count stands in each answer, so it is no measure.
  const asks = [measures ?? []]
    .flat()
    .filter((one) => Object(one).op !== 'count' || 'property' in Object(one))
  const isGrouped = others['group'] !== undefined || asks.length > 0
  const columns = columnsOf(on, args)
  const fields = columns.map((name) => (isDotted(on, name) ? [name] : name))
  const input = {
    ...others,
    ...at,
    ...(asks.length > 0 && { measures: asks }),
    ...(where && { where: parseCql2(String(where)) }),
    ...(isGrouped
      ? { limit: 0, groupLimit: limit || undefined }
      : { limit: measures === undefined ? limit : 0, fields }),
  } as unknown as QueryInput<AnyTypes>
  let output = await on.world.query(input, { signal }).page()
  // The first try may have spent its time on building what the next one uses.
  for (let tries = 1; output.partial && tries < 3; tries++)
    output = await on.world.query(input, { signal }).page()
  if (output.total === 0 && !output.partial) refuseUnlisted(asked, 'query')
  if (isGrouped) return groupsIn(output, asked)
  const { entities, total, totalIsLowerBound, partial } = output
  const [only, ...more] = textsOf(args['types'])
  const isOne = only !== undefined && more.length === 0
  const heading = [isOne ? `id (${word(only)})` : 'type/id', 'title', ...columns.map((name) => word(name))]
  const count = parts(totalIsLowerBound && 'at least', `${number(total)} found.`)
  const named = entities.length > skip && `Columns: ${heading.join('|')}`
  return {
    head: parts(partial && PARTIAL, count, named),
    rows: entities.slice(skip).map((entity) => rowText(entity, isOne, columns)),
    tail: (shown) => [moreText(args, output, shown)],
  }
}

/** Returns the fields of the call, or else the properties in its condition and order, then the first of its only type. */
function columnsOf({ types }: OpenWorld, args: JsonObject): string[] {
  if (args['fields'] !== undefined) return textsOf(args['fields']).filter((name) => !SHOWN.includes(name))
  const [only, ...more] = types.filter(({ type }) => textsOf(args['types']).includes(type))
  const first =
    only && more.length === 0 ? attributesOf(only).filter(({ kind }) => !kind.startsWith('list')) : []
  const names = new Set([...namedProperties(args), ...first.map(({ name }) => name)])
  for (const name of [...SHOWN, 'relevance', '']) names.delete(name)
  return [...names].slice(0, MAX_COLUMNS)
}

function isDotted({ types }: OpenWorld, path: string): boolean {
  return path.includes('.') && types.some(({ schema }) => Object.hasOwn(Object(schema?.['properties']), path))
}

function rowText(
  { type, id, title, attributes }: Entity,
  isOne: boolean,
  columns: readonly string[],
): string {
  // A path through a reference is an attribute of its own.
  const member = (from: unknown, name: string) =>
    isObject(from) && Object.hasOwn(from, name) ? from[name] : undefined
  const value = (path: string) =>
    member(attributes, path) ?? path.split('.').reduce<unknown>(member, attributes)
  const address = isOne ? word(id) : addressText({ type, id })
  return [
    address,
    title ? quoted(`${title}`, 80) : '',
    ...columns.map((path) => valueText(value(path), 80)),
  ].join('|')
}

function groupsIn(output: QueryOutput, { args, call }: Asked): Answer {
  const { columns, rows } = groupTable(output)
  const all = Number.isSafeInteger(output.groupsTotal) ? Number(output.groupsTotal) : rows.length
  const ignored = (output.measures ?? [])
    .filter((one) => one.ignored)
    .map(
      ({ op, ignored }) =>
        ` ${word(`${op}`, 20)} leaves out ${number(ignored)} entities with values of another kind.`,
    )
  const more = call('query', { ...args, limit: Math.min(1_000, all), budget: 8000 })
  return {
    head: `${output.partial ? `${PARTIAL} ` : ''}${number(output.total)} entities in ${all} groups.${ignored.join('')} Columns: ${columns.map((name) => word(name, 60)).join('|')}`,
    rows: rows.map((row) => row.map((value) => valueText(value, 80)).join('|')),
    tail: (shown) => [shown < all && `${all - shown} more groups: ${more}`],
  }
}

/** Returns the fault of a query in a world that answers none. */
export function noQuery({ args: { text, types }, call }: Asked): ToolFault {
  return new ToolFault(
    `This world answers no queries. This works: ${call('search', { types, text })}, with fields to compare the values.`,
  )
}
