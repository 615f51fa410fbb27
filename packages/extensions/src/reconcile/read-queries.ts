/** Reads the JSON of query batches and data extension queries, strictly and within bounds. */
import type { EntityTypeDescription, FieldFault, JsonObject, JsonValue } from '@worldwright/client/protocol'
import { isObject, pointerTo } from '@worldwright/client/protocol'
import { DISCOVER_MAX, MAX_TEXT_LENGTH, WorldFault } from '@worldwright/core'
import { pathLabels } from '../pages/values.ts'
import { propertiesOf as askableOf } from '../query/known-properties.ts'
import { QUERY_MAX_CONDITIONS as MOST } from '../query/limits.ts'
import { shownPath } from '../query/property-path.ts'
import { sameAsAny, similarityTo, unitsOf } from './names.ts'

/** Maximum queries per batch, and maximum ids per data extension query. */
export const BATCH_SIZE = 100

/** Query in a batch. Its text is empty if it has only properties. */
export type CellQuery = ReturnType<typeof readQuery>
type Properties = ReturnType<typeof propertiesOf>

/** Returns the properties that queries may name, by id. An id is a property path in the notation of `worldwright:query`. */
export function propertiesOf(type: EntityTypeDescription) {
  const all = [...askableOf(type).values()].flatMap(({ path, kinds, isList }) => {
    if (typeof path === 'string') return []
    const id = shownPath(path)
    return { id, name: pathLabels(path, type.schema).join(' '), path, kinds, isList }
  })
  return new Map<unknown, (typeof all)[number]>(all.map((one) => [one.id, one]))
}

/** Reads a batch. @throws WorldFault `invalid_json`, `invalid_input`, `payload_too_large` */
export function readBatch(json: string, type: EntityTypeDescription) {
  const queries = Object.entries(objectIn(json, '/queries'))
  must(queries.length <= BATCH_SIZE, '/queries', 'too_many')
  const known = propertiesOf(type)
  return queries.map(([key, query]) => [key, readQuery(query, pointerTo('/queries', key), known)] as const)
}

/** Reads a data extension query. @throws as `readBatch` */
export function readExtension(json: string, type: EntityTypeDescription) {
  const { ids, properties } = objectIn(json, '/extend')
  must(Array.isArray(ids) && ids.every((id) => typeof id === 'string'), '/extend/ids', 'wrong_type')
  must(ids.length <= BATCH_SIZE, '/extend/ids', 'too_many')
  const asked = propertiesIn(properties, 'id', '/extend/properties', propertiesOf(type))
  return { ids: ids.map((id) => id.toWellFormed()), properties: asked.map(({ property }) => property) }
}

/** Reads a query, and folds its text once for all comparisons. */
function readQuery(value: JsonValue, at: string, known: Properties) {
  const { query, type: types = [], limit = 10, properties = [] } = isObject(value) ? value : {}
  const text = typeof query === 'string' ? query.trim().toWellFormed() : ''
  const asked = propertiesIn(properties, 'pid', `${at}/properties`, known)
  must(text !== '' || asked.length > 0, `${at}/query`, 'required')
  must(text.length <= MAX_TEXT_LENGTH, `${at}/query`, 'too_long')
  const most = Number.isInteger(limit) ? Number(limit) : 0
  must(most > 0 && most <= DISCOVER_MAX, `${at}/limit`, 'malformed')
  const folded = { isNamed: sameAsAny([text]), similarity: similarityTo(text), units: unitsOf(text) }
  return { text, types: [types].flat(), limit: most, properties: asked, ...folded }
}

/** Reads properties, which must be distinct, and their values. An object value is an entity that a cell was matched to. */
function propertiesIn(list: JsonValue = null, name: 'id' | 'pid', at: string, known: Properties) {
  must(Array.isArray(list), at, 'wrong_type')
  must(list.length <= MOST, at, 'too_many')
  let total = 0
  const read = list.map((item, index) => {
    const { [name]: asked, v } = isObject(item) ? item : {}
    const property = known.get(asked)
    must(property !== undefined, `${at}/${index}/${name}`, 'not_allowed')
    const given = name === 'id' ? [] : [v].flat().map((one) => (isObject(one) ? one['id'] : one))
    total += given.length
    must(total <= MOST, at, 'too_many')
    const values = given.filter((one) => one != null && typeof one !== 'object').map(String)
    must(values.length === given.length, `${at}/${index}/v`, 'wrong_type')
    const longest = Math.max(0, ...values.map(({ length }) => length))
    must(longest <= MAX_TEXT_LENGTH, `${at}/${index}/v`, 'too_long')
    return { property, values, isAsked: sameAsAny(values) }
  })
  must(new Set(read.map(({ property }) => property)).size === read.length, at, 'repeated')
  return read
}

function objectIn(json: string, at: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(json)
    must(isObject(value), at, 'wrong_type')
    return value
  } catch (cause) {
    throw cause instanceof WorldFault ? cause : new WorldFault('invalid_json', `${at} is not JSON.`)
  }
}

function must(holds: boolean, pointer: string, reason: FieldFault['reason']): asserts holds {
  if (holds) return
  const code = reason === 'too_many' ? 'payload_too_large' : 'invalid_input'
  const fields = [{ in: 'body', pointer, reason }]
  throw new WorldFault(code, `${pointer} cannot be used: ${reason}.`, { fields })
}
