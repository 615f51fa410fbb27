/** A type as discovery lists it: its author's hints as keywords of the attributes they are about. */
import {
  type EntityTypeDescription,
  isObject,
  type JsonObject,
  type JsonValue,
} from '@worldwright/client/protocol'
import type { TypeDefinition } from './type-definition.ts'

/** The description of a type for its readers, with `display` as `x-display` and `search` as `x-search-weight` in its schema. */
export function servedType({
  display = {},
  search = {},
  owner: _,
  ...description
}: TypeDefinition): EntityTypeDescription {
  const hints = [
    ...Object.entries(display).map(([hint, attribute]) => [attribute, 'x-display', hint] as const),
    ...Object.entries(search).map(([attribute, weight]) => [attribute, 'x-search-weight', weight] as const),
  ]
  if (hints.length === 0) return description
  let schema: JsonObject = description.schema ?? { type: 'object' }
  for (const [attribute, keyword, hint] of hints) schema = hinted(schema, attribute, keyword, hint)
  return { ...description, schema }
}

function hinted(schema: JsonObject, attribute: string, keyword: string, hint: JsonValue): JsonObject {
  const properties = objectOf(schema['properties'])
  const property = objectOf(properties[attribute])
  return { ...schema, properties: { ...properties, [attribute]: { ...property, [keyword]: hint } } }
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {}
}
