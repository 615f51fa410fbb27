/** Converts a type definition to the description that a world serves. */
import {
  type EntityTypeDescription,
  isObject,
  type JsonObject,
  type JsonValue,
} from '@worldwright/client/protocol'
import type { TypeDefinition } from './type-definition.ts'

/** Returns the description of a type as a world serves it: the author's hints become keywords in the schema. */
export function servedType({
  display: { rank, ...display } = {},
  search = {},
  index = {},
  references = {},
  schemaOrg = {},
  precedence: _,
  ...description
}: TypeDefinition): EntityTypeDescription {
  const hints = [
    ...Object.entries(display).map(([hint, attribute]) => [attribute, 'x-display', hint] as const),
    ...Object.entries(search).map(([attribute, weight]) => [attribute, 'x-search-weight', weight] as const),
    ...Object.keys(index).map((attribute) => [attribute, 'x-index', false] as const),
    ...Object.entries(references).map(([attribute, type]) => [attribute, 'x-references', type] as const),
    ...Object.entries(schemaOrg.properties ?? {}).map(
      ([attribute, property]) => [attribute, 'x-schema-org', property] as const,
    ),
  ]
  if (hints.length === 0 && schemaOrg.type === undefined && !rank) return description
  let schema: JsonObject = description.schema ?? { type: 'object' }
  if (rank) schema = { ...schema, 'x-display': { rank } }
  if (schemaOrg.type !== undefined) schema = { ...schema, 'x-schema-org': schemaOrg.type }
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
