/** Names of properties in the arguments of a query. */
import { parseCql2 } from '@worldwright/client/cql2'
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'

/** Returns the properties that a condition, a key of groups or a measure names, in JSON. */
export function propertiesIn(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(propertiesIn)
  if (value === null || typeof value !== 'object') return []
  const { property, args } = value
  return property === undefined ? propertiesIn(args) : [[property].flat().join('.')]
}

/** Returns all properties that the arguments of the tool `query` name. The condition must be valid CQL2. */
export function namedProperties({ where, fields, sort, group, measures }: JsonObject): string[] {
  const condition = typeof where === 'string' ? parseCql2(where) : undefined
  const texts = [fields, sort, group].flat().filter((name) => typeof name === 'string')
  const parts = [condition, group, measures].flatMap(propertiesIn)
  return [...new Set([...parts, ...texts.map((name) => name.replace(/^-/, ''))])]
}
