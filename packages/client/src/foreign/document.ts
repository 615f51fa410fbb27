/**
 * Reads discovery documents with unknown member names: the world's id and name, its types and its actions.
 */
import { type ActionDescription, DISCOVER_ACTION, type EntityTypeDescription, isObject } from '../protocol.ts'
import { type Found, find, isBranch, isFilled, isPrefixed, isWords, TITLE } from './find.ts'
import type { Names } from './names.ts'

/** Parts recognised in a discovery document. A part that was not recognised is absent, even if the document has it. */
export interface WorldDescription {
  readonly id: Found<string> | undefined
  readonly name: Found<string> | undefined
  readonly entityTypes: Found<EntityTypeDescription[]> | undefined
  readonly actions: Found<ActionDescription[]> | undefined
}

/** Interprets a discovery document, using the names given by hand, if any. */
export function descriptionFrom(document: object, names: Names = {}): WorldDescription {
  return {
    id: find(document, isFilled, /^(?=.)(canonical|world)*(id|identifier|ur[in])?$/, 'world.id', names.world),
    name: find(document, isWords, TITLE, 'world.name', names.worldName),
    entityTypes: listIn(document, /type|kind|entit|class/, 'entityTypes', 'type', names.types),
    actions: listIn(document, /^/, 'actions', 'name', names.actions),
  }
}

/** Finds the list of types or actions. A list that contains the `wp:discover` action is the action list. */
function listIn<Key extends 'type' | 'name'>(
  document: object,
  likely: RegExp,
  ours: string,
  key: Key,
  given?: string,
) {
  const isThem = (value: unknown): value is object => {
    const named = namedIn(value, key)
    const isActions = named.some((one) => one[key] === DISCOVER_ACTION)
    return key === 'name' ? isActions : !isActions && (!!named[0] || (Array.isArray(value) && !value.length))
  }
  const found = find(document, isThem, likely, ours, given)
  return found && { ...found, value: namedIn(found.value, key) }
}

/**
 * Returns the types or actions in `list`, in order. They may be strings, objects or maps, in an array or keyed by name, and
 * grouped by prefix. Returns an empty array if there are none.
 */
function namedIn<Key extends string>(
  list: unknown,
  as: Key,
  prefix?: unknown,
  levels = 4,
): Record<Key, string>[] {
  const entries = Object.entries(levels && isBranch(list) ? list : {})
  return entries.flatMap(([key, value]): Record<Key, string>[] => {
    const about: Record<string, unknown> = isObject(value) ? value : { [as]: value }
    const { prefix: group = prefix, ...rest } = about
    const own = Array.isArray(list) ? '' : key
    const words = [own, rest[as], rest['name'], ...Object.values(rest)].filter(isFilled)
    const name = words.find(isPrefixed) ?? (group && words[0] && `${group}:${words[0]}`)
    if (isPrefixed(name))
      return !group || name.startsWith(`${group}:`)
        ? [
            {
              ...about,
              title: find(about, isWords, TITLE, 'title', undefined, 1)?.value,
              [as]: name,
            } as Record<Key, string>,
          ]
        : []
    return Object.values(group === prefix ? { value } : rest).flatMap((one) =>
      namedIn(one, as, group ?? own, levels - 1),
    )
  })
}
