/** What discovery says about questions: the action, its limits, and what can be asked of each type. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import {
  QUERY_MAX_BUCKETS,
  QUERY_MAX_CONDITIONS,
  QUERY_MAX_DEPTH,
  QUERY_MAX_FACETS,
  QUERY_MAX_INCLUDED,
  QUERY_MAX_PATHS,
  QUERY_MAX_SORT_KEYS,
  QUERY_MAX_VALUES,
} from '../limits.ts'
import { type AskableProperties, MEMBER_PROPERTIES } from './askable.ts'
import { jsonOf } from './facet-json.ts'
import { propertiesOf } from './known-properties.ts'
import { propertyFromPath } from './property-path.ts'
import { QUERY_ACTION } from './read-input.ts'
import { OPERATORS } from './read-where.ts'

/** The extension `worldwright:query` for these types. */
export function queryExtension(types: readonly EntityTypeDescription[]): Record<string, JsonObject> {
  const extension: JsonObject = {
    action: QUERY_ACTION,
    operators: [...OPERATORS],
    functions: ['distance', 'entity'],
    limits: {
      conditions: QUERY_MAX_CONDITIONS,
      depth: QUERY_MAX_DEPTH,
      values: QUERY_MAX_VALUES,
      sort: QUERY_MAX_SORT_KEYS,
      facets: QUERY_MAX_FACETS,
      buckets: QUERY_MAX_BUCKETS,
      paths: QUERY_MAX_PATHS,
      included: QUERY_MAX_INCLUDED,
    },
    properties: listed(MEMBER_PROPERTIES),
    types: Object.fromEntries(types.map((type) => [type.type, listed(propertiesOf(type))])),
  }
  return { [QUERY_ACTION]: extension }
}

function listed(properties: AskableProperties): JsonObject[] {
  return [...properties.values()].map(({ path, kinds, isDate, isList }) => ({
    property: jsonOf(propertyFromPath(path)),
    kinds: [...kinds],
    ...(isDate && { format: 'date' }),
    ...(isList && { list: true }),
  }))
}
