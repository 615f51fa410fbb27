/** The action `worldwright:query` of the reference world. */
import { isObject, type JsonObject } from '../src/json/json.ts'
import type { ReferenceEntity } from './reference-data.ts'
import { refuse, type Told, told } from './reference-http.ts'
import {
  compare,
  isUnindexed,
  propertyIn,
  readWhere,
  valuesOf,
  type WhereContext,
} from './reference-where.ts'

const MEMBERS =
  'types text similar where sort fields include facets group measures groupLimit limit cursor'.split(' ')
const PROPERTIES = 'height length near note place tags type id title createdAt'.split(' ')

/** Answers a query, or throws Refusal. */
export function queryAnswer(
  input: JsonObject,
  all: readonly ReferenceEntity[],
  known: readonly string[],
): Told {
  const fields: JsonObject[] = []
  const context: WhereContext = {
    properties: PROPERTIES,
    asked: new Set(),
    fault: (pointer, reason) => fields.push({ in: 'body', pointer: `/input${pointer}`, reason }),
  }
  for (const name of Object.keys(input)) if (!MEMBERS.includes(name)) context.fault(`/${name}`, 'not_allowed')
  const types = list(input['types'])
  for (const [at, type] of types.entries())
    if (!known.includes(String(type))) context.fault(`/types/${at}`, 'not_allowed')
  const holds = input['where'] === undefined ? () => true : readWhere(input['where'], context)
  const order = orderOf(input, context)
  const facets = list(input['facets']).map((facet, at) => propertyIn(facet, `/facets/${at}`, context))
  const groups = groupReader(input, context)
  if (input['similar'] !== undefined && input['text'] !== undefined) context.fault('/similar', 'not_allowed')
  if (fields.length > 0) refuse(400, 'invalid_input', { fields, properties: PROPERTIES })
  const asked = all.filter(({ type }) => types.length === 0 || types.includes(type))
  const found = likeOrWith(input, asked, all)
    .filter((entity) => holds(entity) === true)
    .sort(order)
  const output = pageOf(input, found)
  const lost = asked.filter((entity) => [...context.asked].some((property) => isUnindexed(entity, property)))
  const body = {
    action: 'worldwright:query',
    output: {
      ...output,
      ...(facets.length > 0 && { facets: facets.map((property) => facetOf(property, found)) }),
      ...groups(found),
      ...(lost.length > 0 && { unindexed: lost.length }),
      ...(input['include'] !== undefined && along(output.page, list(input['include']), all)),
      page: undefined,
    },
  }
  return told(200, body, { 'cache-control': 'no-store' })
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

type Order = (one: ReferenceEntity, other: ReferenceEntity) => number

function orderOf(input: JsonObject, context: WhereContext): Order {
  const keys = list(input['sort']).map((key, at) => {
    const descending = isObject(key) ? key['descending'] === true : String(key).startsWith('-')
    const name = isObject(key) ? key['property'] : String(key).replace(/^-/, '')
    return { property: propertyIn(name, `/sort/${at}`, context), sign: descending ? -1 : 1 }
  })
  return (one, other) => {
    for (const { property, sign } of keys) {
      const [left, right] = [valuesOf(one, property)[0], valuesOf(other, property)[0]]
      const lacking = Number(left === undefined) - Number(right === undefined)
      if (lacking !== 0) return lacking
      const order = left === undefined ? 0 : sign * compare(left as string, right as string)
      if (order !== 0) return order
    }
    return compare(one.type, other.type) || compare(one.id, other.id)
  }
}

/** Returns entities whose title has a word of the text, or shares one with the title of an entity. */
function likeOrWith(input: JsonObject, asked: readonly ReferenceEntity[], all: readonly ReferenceEntity[]) {
  const { text, similar } = input
  const like = isObject(similar) ? similar : undefined
  const model = all.find(({ type, id }) => type === like?.['type'] && id === like['id'])
  if (like && model === undefined) refuse(404, 'entity_not_found', { ...like })
  const words = wordsOf(model?.title ?? String(text ?? ''))
  if (words.length === 0) return [...asked]
  return asked.filter(
    (entity) => entity !== model && wordsOf(entity.title).some((word) => words.includes(word)),
  )
}

function wordsOf(text = ''): string[] {
  return text.toLowerCase().match(/\p{L}{4,}/gu) ?? []
}

function pageOf(input: JsonObject, found: readonly ReferenceEntity[]) {
  const limit = Number(input['limit'] ?? 50)
  const { types, text, similar, where, sort } = input
  const question = JSON.stringify([types, text, similar, where, sort])
  const start = startOf(input['cursor'], question)
  const page = found.slice(start, start + limit)
  const counts: Record<string, number> = {}
  for (const { type } of found) counts[type] = (counts[type] ?? 0) + 1
  const next = cursorAt(question, start + limit)
  const more = page.length > 0 && start + limit < found.length
  const names = input['fields'] === undefined ? undefined : list(input['fields']).map(nameOf)
  const entities = page.map((entity) => (names ? projected(entity, names) : entity))
  return {
    entities,
    page,
    limit,
    total: found.length,
    counts,
    matched: [],
    ...(more && { nextCursor: next }),
  }
}

function cursorAt(question: string, start: number): string {
  return Buffer.from(JSON.stringify([question, start])).toString('base64url')
}

function startOf(cursor: unknown, question: string): number {
  if (cursor === undefined || cursor === null) return 0
  const start = /(\d+)\]$/.exec(Buffer.from(String(cursor), 'base64url').toString())?.[1]
  if (start !== undefined && cursorAt(question, Number(start)) === cursor) return Number(start)
  refuse(400, 'invalid_cursor', { reason: 'malformed' })
}

function nameOf(field: unknown): string {
  return String([field].flat().at(-1)).replace('attributes.', '')
}

function projected({ type, id, title, attributes }: ReferenceEntity, names: readonly string[]) {
  const kept = Object.entries(attributes).filter(([name]) => names.includes(name))
  return { type, id, title, attributes: Object.fromEntries(kept) }
}

function facetOf(property: string, found: readonly ReferenceEntity[]): JsonObject {
  const counts = new Map<unknown, number>()
  for (const entity of found)
    for (const value of new Set(valuesOf(entity, property))) counts.set(value, (counts.get(value) ?? 0) + 1)
  return { property, buckets: [...counts].map(([value, count]) => ({ value, count })) }
}

/** Reads the keys and measures, and returns the function that forms the groups, largest first. */
function groupReader(input: JsonObject, context: WhereContext) {
  const named = (member: string) =>
    list(input[member]).map((item, at) =>
      propertyIn(isObject(item) ? item['property'] : item, `/${member}/${at}`, context),
    )
  const [keys, measured] = [named('group'), named('measures')]
  return (found: readonly ReferenceEntity[]): JsonObject => {
    if (input['group'] === undefined) return {}
    const groups = new Map<string, ReferenceEntity[]>()
    for (const entity of found)
      for (const key of keysOf(entity, keys)) groups.set(key, [...(groups.get(key) ?? []), entity])
    const all = [...groups].map(([key, own]) => ({
      key: JSON.parse(key),
      count: own.length,
      measures: list(input['measures']).map((measure, at) =>
        measureOf(Object(measure).op, own, measured[at] ?? ''),
      ),
    }))
    const limit = Number(input['groupLimit'] ?? 100)
    return {
      groups: all.sort((one, other) => other.count - one.count).slice(0, limit),
      groupsTotal: all.length,
      ...(all.length > limit && { moreGroups: true }),
    }
  }
}

function keysOf(entity: ReferenceEntity, properties: readonly string[]): string[] {
  const values = properties.map((property) => [...new Set(valuesOf(entity, property))])
  const all = values.reduce<unknown[][]>(
    (keys, own) => keys.flatMap((key) => (own.length > 0 ? own : [null]).map((value) => [...key, value])),
    [[]],
  )
  return all.map((key) => JSON.stringify(key))
}

function measureOf(op: string, entities: readonly ReferenceEntity[], property: string): number | null {
  const own = entities.map((entity) => [...new Set(valuesOf(entity, property) as number[])])
  const numbers = own.flat()
  if (op === 'count') return own.filter(({ length }) => length > 0).length
  if (numbers.length === 0) return null
  if (op === 'avg') return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  return op === 'min' ? Math.min(...numbers) : Math.max(...numbers)
}

/** Returns the entities that references on a page lead to, each once, and the dangling references. */
function along(
  page: readonly ReferenceEntity[],
  properties: readonly unknown[],
  all: readonly ReferenceEntity[],
) {
  const references = page.flatMap((entity) =>
    properties.flatMap((property) => valuesOf(entity, String(property))),
  )
  const keys = new Set(references.map((reference) => JSON.stringify(reference)))
  const included: ReferenceEntity[] = []
  const missing: unknown[] = []
  for (const reference of [...keys].map((key) => JSON.parse(key))) {
    const found = all.find(({ type, id }) => type === reference.type && id === reference.id)
    if (found === undefined) missing.push(reference)
    else if (!page.includes(found)) included.push(found)
  }
  return { included, ...(missing.length > 0 && { missing }) }
}
