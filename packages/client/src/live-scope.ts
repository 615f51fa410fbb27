/** Changes that can affect the answer to a query. */
import type { WorldData } from './discovery.ts'
import { isText } from './error.ts'
import type { ChangesOptions } from './follower.ts'
import type { JsonObject } from './protocol.ts'
import { QUERY_ACTION } from './query.ts'

/**
 * Returns the types and the condition of the changes that can affect a query. Undefined if all changes can: the rank of a
 * text depends on all documents, included or joined entities can be of any type, and a condition as text is not parsed.
 */
export function scopeOf(
  { document }: WorldData,
  input: JsonObject,
): Pick<ChangesOptions, 'types' | 'where'> | undefined {
  const { text, similar, include, fields, sort, facets, group, where } = input
  if (text || similar || include || isText(where)) return undefined
  const types = [input['types'] ?? []].flat() as string[]
  const named: unknown[] = [fields, sort, facets, group].flat()
  JSON.stringify(input, (key, value) => {
    if (key === 'property') named.push(value)
    return value
  })
  // A path that the world lists ends in the entity, any other may lead through a reference. The document is unchecked.
  const declared = Object(Object(document.extensions)[QUERY_ACTION]).types
  const listed = Object.entries<unknown>(Object(declared))
    .flatMap(([type, properties]) => (types.length && !types.includes(type) ? [] : properties))
    .map((one) => pathOf(Object(one).property))
  const isOwn = (path: string) =>
    !path.includes('.') || (listed.includes(path) && !listed.some((one) => path.startsWith(`${one}.`)))
  if (!named.map(pathOf).every(isOwn)) return undefined
  return { types: types.length ? types : undefined, where: where as object | undefined }
}

function pathOf(property: unknown): string {
  return isText(property) ? property.replace(/^-/, '') : Array.isArray(property) ? property.join('.') : ''
}
