/**
 * Reads discovery documents with unknown member names: the world's id and name, its types and its actions.
 */
import { type ActionDescription, DISCOVER_ACTION, type EntityTypeDescription, isObject } from '../protocol.ts'
import { type Found, find, isBranch, isFilled, isPrefixed, isWords, type Known, TITLE } from './find.ts'

/** Parts recognised in a discovery document. A part that was not recognised is absent, even if the document has it. */
export interface WorldDescription {
  readonly id: Found<string> | undefined
  readonly name: Found<string> | undefined
  readonly entityTypes: Found<EntityTypeDescription[]> | undefined
  readonly actions: Found<ActionDescription[]> | undefined
  /** Entries of the list of types in which no type was recognised. Absent if there are none. */
  readonly unread?: readonly unknown[] | undefined
}

// Name, likely names and our name of each list.
const LISTS = {
  type: ['types', /type|kind|(?<!id)entit|class|publish/, 'entityTypes'],
  name: ['actions', /^/, 'actions'],
} as const

/** Interprets a discovery document, using the names given by hand, if any. */
export function descriptionFrom(document: object, names: Known = {}): WorldDescription {
  const unread: unknown[] = []
  const entityTypes = listIn(document, 'type', names, unread)
  const actions = listIn(document, 'name', names)
  const isBeside = (path: string) =>
    ![entityTypes, actions].some((found) => found && path.startsWith(`${found.path}.`))
  const isId = (value: unknown, path: string): value is string => isFilled(value) && isBeside(path)
  const isName = (value: unknown, path: string): value is string => isWords(value) && isBeside(path)
  return {
    id: find(document, isId, /^(?=.)(canonical|world)*(id|identifier|ur[in])?$/, names, 'world', 'world.id'),
    name: find(document, isName, TITLE, names, 'worldName', 'world.name'),
    entityTypes,
    actions,
    ...(unread.length && { unread }),
  }
}

/** Finds the list of types or actions. A list that contains the `wp:discover` action is the action list. */
function listIn<As extends 'type' | 'name'>(document: object, as: As, names: Known, unread?: unknown[]) {
  const isThem = (value: unknown): value is object => {
    const named = namedIn(value, as)
    const isActions = named.some((one) => one[as] === DISCOVER_ACTION)
    return as === 'name' ? isActions : !isActions && (!!named[0] || (Array.isArray(value) && !value.length))
  }
  const [key, likely, ours] = LISTS[as]
  const found = find(document, isThem, likely, names, key, ours)
  return found && { ...found, value: namedIn(found.value, as, unread) }
}

/**
 * Returns the types or actions in `list`, in order. They may be strings, objects or maps, in an array or keyed by name, and
 * grouped by prefix. Returns an empty array if there are none. Adds the entries without a name to `unread`.
 */
function namedIn<Key extends string>(
  list: unknown,
  as: Key,
  unread: unknown[] = [],
  prefix?: unknown,
  levels = 4,
): Record<Key, string>[] {
  const isArray = Array.isArray(list)
  const entries = Object.entries(levels && isBranch(list) ? list : {})
  return entries.flatMap(([key, value]): Record<Key, string>[] => {
    const about: Record<string, unknown> = isObject(value) ? value : { [as]: value }
    const { prefix: group = prefix, ...rest } = about
    const own = isArray ? '' : key
    const likely = Object.keys(rest).filter((name) => /type|kind|class|id$/i.test(name))
    const words = [as, 'name', ...likely].map((name) => rest[name]).filter(isFilled)
    const all = [own, ...words, ...Object.values(rest)].filter(isFilled)
    // In an entry, the usual members are types even if they look like URLs.
    const usual = isArray || isObject(value) ? words : []
    const name =
      [own, ...usual].find(isTyped) ??
      all.find(isPrefixed) ??
      (group && all[0] ? `${group}:${all[0]}` : undefined)
    if (name?.includes(':'))
      return !group || isArray || name.startsWith(`${group}:`)
        ? [{ ...about, title: titleOf(about), [as]: name } as Record<Key, string>]
        : []
    const inner = Object.values(group === prefix ? { value } : rest).flatMap((one) =>
      namedIn(one, as, unread, group ?? own, levels - 1),
    )
    if (!inner[0] && (isArray || levels > 3) && (isFilled(value) || isBranch(value))) unread.push(value)
    return inner
  })
}

function titleOf(about: object): string | undefined {
  return find(about, isWords, TITLE, {}, 'title', 'title', 1)?.value
}

/** Reports whether a text that stands for a type is one: `prefix:name` with any characters, but no prose. */
function isTyped(value: unknown): value is string {
  return isFilled(value) && /^[^:]+:\S/.test(value)
}
