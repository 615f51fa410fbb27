/** Query parameters of a request for changes. */
import { type JsonValue, typeFault } from '@worldwright/client/protocol'
import { MAX_TYPES, QueryReader } from '@worldwright/core'
import { CHANGES_DEFAULT, CHANGES_MAX } from './limits.ts'

/** Query parameters of the route `changes`. */
export interface ChangesParameters {
  /** Value of `next` in an earlier response, or `now`. Undefined means the beginning. */
  readonly since: string | undefined
  /** Types to return, sorted and without duplicates. Undefined means all types. */
  readonly types: readonly string[] | undefined
  /** Maximum number of changes, capped by the server's own maximum. */
  readonly limit: number
  /** Condition as text, or as parsed from JSON, not yet read. */
  readonly where: JsonValue | undefined
  /** True to include the entity in each change. */
  readonly entities: boolean
  /** True to report damaged entities instead of failing the request. */
  readonly nameDamaged: boolean
}

/**
 * Reads `since`, `types`, `where`, `limit`, `entities` and `damaged` from a raw query string.
 * @throws WorldFault `invalid_parameter` naming every malformed parameter
 */
export function changesParameters(query: string): ChangesParameters {
  const reader = new QueryReader(query)
  const limit = Math.min(reader.count('limit') ?? CHANGES_DEFAULT, CHANGES_MAX)
  const parameters = { since: reader.single('since'), types: typesOf(reader), where: whereOf(reader), limit }
  const entities = reader.single('entities') ?? 'false'
  if (entities !== 'true' && entities !== 'false')
    reader.refuse('entities', 'not_allowed', 'is true or false.')
  const damaged = reader.single('damaged')
  if (damaged !== undefined && damaged !== 'named') reader.refuse('damaged', 'not_allowed', 'is named.')
  reader.finish()
  return { ...parameters, entities: entities === 'true', nameDamaged: damaged === 'named' }
}

function whereOf(reader: QueryReader): JsonValue | undefined {
  const text = reader.single('where')
  try {
    return text?.trimStart().startsWith('{') ? JSON.parse(text) : text
  } catch {
    reader.refuse('where', 'malformed', 'must be a condition in CQL2, URL-encoded, as text or JSON.')
    return undefined
  }
}

/** Accepts types in one parameter, separated by commas, or in several parameters. */
function typesOf(reader: QueryReader): readonly string[] | undefined {
  const given = reader.values('types')
  if (given.length === 0) return undefined
  const types = [...new Set(given.flatMap((value) => value.split(',')))].toSorted()
  if (types.some((type) => typeFault(type) !== undefined))
    reader.refuse('types', 'malformed', 'lists entity types; one looks like prefix:name.')
  if (types.length > MAX_TYPES) reader.refuse('types', 'too_many', `lists ${MAX_TYPES} types at most.`)
  return types
}
