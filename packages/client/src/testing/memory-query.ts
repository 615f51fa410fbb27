/** Evaluates `worldwright:query` and `wp:discover` over the entities of a memory world. */
import { attempt, isText, WorldError } from '../error.ts'
import { type Entity, isObject, type JsonObject, type JsonValue } from '../protocol.ts'
import { unsupported } from './failure.ts'
import { conditionFrom } from './memory-condition.ts'
import { byName, compare, readerOf } from './memory-values.ts'

/** Returns the output of `wp:discover`. An entity matches a text if its JSON contains every word. */
export function discover(entities: readonly Entity[], input: JsonObject): JsonValue {
  const { types, text, limit = 20, ...others } = input
  for (const member of Object.keys(others)) unsupported('the member', member)
  const found = matching(entities, types, text)
  return { ...outputOf(found, found, text, limit), truncated: found.length > Number(limit) }
}

/** Returns the output of a query. */
export function query(entities: readonly Entity[], input: JsonObject, pageSize = 50): JsonValue {
  const { types = [], text = '', where, sort = [], limit = pageSize, cursor, ...others } = input
  for (const member of Object.keys(others)) unsupported('the member', member)
  const ofTypes = matching(entities, types, '')
  const condition = where === undefined ? () => 1 : conditionFrom(where, ofTypes)
  const order = orderFrom(Array.isArray(sort) ? sort : unsupported('the order', sort), ofTypes)
  const found = matching(ofTypes, [], text).filter((entity) => condition(entity) === 1)
  const scope = JSON.stringify([types, text, where ?? null, sort])
  const [of, after] = cursor === undefined ? [scope] : (attempt(() => JSON.parse(`${cursor}`)) ?? [])
  if (of !== scope) throw new WorldError('invalid_cursor', undefined, { status: 400 })
  const left = found.sort(order).filter((entity) => !after || order(entity, after) > 0)
  const last = left.length > Number(limit) && left[Number(limit) - 1]
  return { ...outputOf(found, left, text, limit), ...(last && { nextCursor: JSON.stringify([scope, last]) }) }
}

function matching(entities: readonly Entity[], types: unknown, text: unknown): Entity[] {
  const wanted = Array.isArray(types) && types.length > 0 ? types : undefined
  return entities.filter((entity) => {
    const plain = JSON.stringify({ ...entity, revision: undefined }).toLowerCase()
    return (!wanted || wanted.includes(entity.type)) && wordsIn(text).every((word) => plain.includes(word))
  })
}

function wordsIn(text: unknown): string[] {
  return `${text ?? ''}`.toLowerCase().split(/\s+/).filter(Boolean)
}

function outputOf(found: readonly Entity[], left: readonly Entity[], text: unknown, limit: JsonValue) {
  const counts: Record<string, number> = {}
  for (const { type } of found) counts[type] = (counts[type] ?? 0) + 1
  const entities = left.slice(0, Number(limit)) as unknown as JsonValue[]
  return { entities, limit, total: found.length, counts, matched: wordsIn(text) }
}

function orderFrom(sort: readonly JsonValue[], entities: readonly Entity[]) {
  const keys = sort.map((key) => {
    const { property, descending, ...others } = isObject(key) ? key : { property: key }
    const name = isText(property) ? property.replace(/^-/, '') : property
    const read = readerOf(name, entities)
    const kinds = new Set(entities.flatMap((entity) => read(entity)).map(({ kind }) => kind))
    if (Object.keys(others).length > 0 || kinds.size > 1 || kinds.has('reference'))
      unsupported('the order', key)
    const sign = descending || name !== property ? -1 : 1
    return (left: Entity, right: Entity) => {
      const [a, b] = [left, right].map((entity) => read(entity).sort((a, b) => sign * compare(a, b))[0])
      return a && b ? sign * compare(a, b) : Number(!a) - Number(!b)
    }
  })
  return (left: Entity, right: Entity) =>
    keys.map((key) => key(left, right)).find((order) => order !== 0) ?? byName(left, right)
}
