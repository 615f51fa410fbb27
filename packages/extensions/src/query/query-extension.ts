/** The extension `worldwright:query`, which adds the action and declares its limits and each type's properties. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type { Extension } from '@worldwright/core'
import { ANY_TYPE, type AskableProperties, MEMBER_PROPERTIES } from './askable.ts'
import { withFields } from './discover-fields.ts'
import { propertiesOf } from './known-properties.ts'
import {
  QUERY_MAX_BUCKETS,
  QUERY_MAX_CONDITIONS,
  QUERY_MAX_DEPTH,
  QUERY_MAX_FACETS,
  QUERY_MAX_GROUP_KEYS,
  QUERY_MAX_GROUPS,
  QUERY_MAX_INCLUDED,
  QUERY_MAX_MEASURES,
  QUERY_MAX_PATHS,
  QUERY_MAX_SORT_KEYS,
  QUERY_MAX_VALUES,
  QUERY_MAX_WHERE_LENGTH,
} from './limits.ts'
import { propertyFromPath } from './property-path.ts'
import { queryAction } from './query-action.ts'
import { offsetReader } from './query-offset.ts'
import { QUERY_ACTION } from './read-input.ts'
import { OPERATORS } from './read-where.ts'
import { requireSearch } from './require-search.ts'

/** Allows everyone who may read a world to query it. */
export function query(): Extension {
  return (mount) => {
    requireSearch(mount.source, 'query()')
    let declared: { types: readonly EntityTypeDescription[]; member: JsonObject } | undefined
    return {
      name: QUERY_ACTION,
      actions: [queryAction(offsetReader(mount))],
      discover: withFields,
      declares(types) {
        // `types` is the same array until a type changes.
        if (declared?.types !== types) declared = { types, member: queryDeclaration(types) }
        return declared.member
      },
    }
  }
}

/** Returns the declaration of the extension in discovery for these types. */
export function queryDeclaration(types: readonly EntityTypeDescription[]): JsonObject {
  return {
    action: QUERY_ACTION,
    operators: [...OPERATORS],
    functions: ['distance', 'entity'],
    limits: {
      conditions: QUERY_MAX_CONDITIONS,
      depth: QUERY_MAX_DEPTH,
      values: QUERY_MAX_VALUES,
      whereLength: QUERY_MAX_WHERE_LENGTH,
      sort: QUERY_MAX_SORT_KEYS,
      facets: QUERY_MAX_FACETS,
      buckets: QUERY_MAX_BUCKETS,
      groups: QUERY_MAX_GROUPS,
      groupKeys: QUERY_MAX_GROUP_KEYS,
      measures: QUERY_MAX_MEASURES,
      paths: QUERY_MAX_PATHS,
      included: QUERY_MAX_INCLUDED,
    },
    properties: listed(MEMBER_PROPERTIES),
    types: Object.fromEntries(types.map((type) => [type.type, listed(propertiesOf(type))])),
  }
}

function listed(properties: AskableProperties): JsonObject[] {
  return [...properties.values()].map(({ path, kinds, isDate, isList, refersTo, idsOf }) => ({
    property: propertyFromPath(path),
    kinds: [...kinds],
    ...(isDate && { format: 'date' }),
    ...(isList && { list: true }),
    ...(refersTo.size + idsOf.size > 0 &&
      !refersTo.has(ANY_TYPE) && { refersTo: [...refersTo.union(idsOf)] }),
  }))
}
