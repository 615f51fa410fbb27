/** Finds the types, the actions and the world identifier in a discovery document. */
import { at, isObject, isScalar, type JsonObject, type Member, membersOf, type Path } from '../json/json.ts'

/** The form `prefix:name`, in the loose sense of Level 1. */
const TYPE_FORM = /^[^:\s]+:[^:\s]+$/
/** Strings that only look like a type: URLs, other URIs, and protocol names. */
const NO_TYPE = /^(https?|urn|tag|mailto|did|data|wp|info|ni|file|wss?):/i
const TYPE_LISTS = /^(entity_?types?|types?|kinds?|type_?names?|entity_?kinds?|supported_?types?)$/i
const LIKELY_TYPE_LISTS =
  /^(classes|collections|schemas?|models|resources|entities|vocabulary|catalogu?e|publishes)$/i
const PREFIX = /^(prefix|namespace|ns|vocabulary)$/i
const NAME = /^(name|names|local_?name|term|terms|id|types?|kinds?|members)$/i

/** Reports whether a value is a string of the form `prefix:name`. */
export function isType(text: unknown): text is string {
  return typeof text === 'string' && TYPE_FORM.test(text)
}

/** The list of types in a document, and its path. An entry that names no type is kept unchanged. */
export interface TypeList {
  readonly path: Path
  /** True if the caller or the member's name identifies the list; false if it was guessed. */
  readonly sure: boolean
  readonly types: readonly unknown[]
}

/** Finds the list of types at the path `given`, or else by its name or content. */
export function findTypes(document: JsonObject, given?: Path): TypeList | undefined {
  if (given !== undefined) return { path: given, sure: true, types: typesOf(at(document, given), true) }
  const members = membersOf(document, 2).filter(
    ({ path }) => !/^(protocol|endpoints|actions?)$/i.test(path[0] ?? ''),
  )
  const holding = members.filter(({ value }) => typeof value === 'object' && value !== null)
  const strong = holding.find(({ path }) => TYPE_LISTS.test(path.at(-1) ?? ''))
  if (strong !== undefined) return { path: strong.path, sure: true, types: typesOf(strong.value, true) }
  const candidates = [
    ...holding.filter(({ path }) => LIKELY_TYPE_LISTS.test(path.at(-1) ?? '')).map((one) => guess(one, true)),
    ...holding.map((one) => guess(one, false)),
  ]
  return candidates.find(({ types }) => types.length > 0)
}

/** Reads a member as if it were the list of types. `grouped`: also accepts names grouped by prefix. */
function guess({ path, value }: Member, grouped: boolean): TypeList {
  const types = typesOf(value, false)
  const groups = grouped && types.length === 0 && isObject(value) ? groupsOf(value) : []
  return { path, sure: false, types: [...types, ...groups] }
}

/**
 * Returns the types that `value` names, whether as strings, as members of entries, as keys, or as names grouped by prefix.
 * `named`: `value` is known to be the list of types, so an entry that names no type is returned unchanged.
 */
function typesOf(value: unknown, named: boolean): unknown[] {
  const found = Array.isArray(value)
    ? value.flatMap((entry) => entryTypes(entry, named))
    : keyedTypes(value, named)
  return named ? found : found.filter((type) => isType(type) && !NO_TYPE.test(type))
}

function entryTypes(entry: unknown, named: boolean): unknown[] {
  if (!isObject(entry)) return [entry]
  const strings = Object.values(entry)
    .filter(isType)
    .filter((text) => !NO_TYPE.test(text))
  const own = [entry['type'], ...strings].find((text) => isType(text))
  if (own !== undefined) return [own]
  const prefix = membersOf(entry, 0).find(
    ({ path, value }) => PREFIX.test(path[0] ?? '') && isScalar(value),
  )?.value
  const names = membersOf(entry, 0).find(
    ({ path, value }) => NAME.test(path[0] ?? '') && value !== prefix,
  )?.value
  if (prefix !== undefined && names !== undefined) return grouped(String(prefix), names)
  return named ? [entry] : []
}

/** Returns the types in an object whose keys are types or prefixes, or whose members are lists of types. */
function keyedTypes(value: unknown, named: boolean): unknown[] {
  if (!isObject(value)) return named && value !== undefined ? [value] : []
  const keys = Object.keys(value).filter((key) => isType(key) && !NO_TYPE.test(key))
  if (keys.length > 0) return named ? Object.keys(value) : keys
  const groups = groupsOf(value)
  if (named && groups.length > 0) return groups
  return Object.values(value).flatMap((inner) =>
    Array.isArray(inner) ? inner.flatMap((one) => entryTypes(one, false)) : [],
  )
}

/** Returns the types in an object that maps prefixes to names. */
function groupsOf(value: JsonObject): string[] {
  return Object.entries(value).flatMap(([prefix, names]) =>
    /^[a-z][\w.-]*$/i.test(prefix) && !NAME.test(prefix) ? grouped(prefix, names) : [],
  )
}

function grouped(prefix: string, names: unknown): string[] {
  if (typeof names === 'string') return [`${prefix}:${names}`]
  const all = Array.isArray(names) ? names : isObject(names) ? Object.keys(names) : []
  return all.flatMap((name) => {
    const text = isObject(name)
      ? Object.entries(name).find(([key, own]) => NAME.test(key) && isScalar(own))?.[1]
      : name
    if (typeof text !== 'string') return []
    return [text.includes(':') ? text : `${prefix}:${text}`]
  })
}

/** Reports whether a value names the action `wp:discover` in full, percent-encoded, or grouped under its prefix. */
export function namesDiscover(value: unknown): boolean {
  if (typeof value === 'string') return /wp(?::|%3A)discover/i.test(value)
  if (Array.isArray(value)) return value.some(namesDiscover)
  if (!isObject(value)) return false
  const prefixed = Object.values(value).includes('wp') && Object.values(value).includes('discover')
  return (
    prefixed ||
    Object.entries(value).some(([name, member]) => {
      const groups = name === 'wp' ? grouped('wp', member) : []
      return namesDiscover(name) || groups.includes('wp:discover') || namesDiscover(member)
    })
  )
}

/** Names of members that describe a world without identifying it. */
const DESCRIPTIVE =
  /title|descri|summary|label|version|revision|licen[cs]e|contact|language|locale|updated|created|generated|date|time|doc|help|terms|powered|software|generator|home|site|schema|icon|logo|limit|max|default|count|total/i
const IDENTIFIERS = /^[_@$]?(world_?id|id|identifier|canonical\w*|uri|urn|iri|uuid|guid|world|did)$/i

/** A candidate for the world identifier. `sure`: its name or its form confirms that it is one. */
export interface Identifier extends Member {
  readonly sure: boolean
}

/** Finds the most likely world identifier in a document. `types` is the path of the types, which are not searched. */
export function findIdentifier(document: JsonObject, types: Path | undefined): Identifier | undefined {
  const besides = membersOf(document, 2).filter(
    ({ path, value }) =>
      isScalar(value) &&
      !/^(protocol|endpoints|actions?|operations|limits?|authentication|extensions|links?)$/i.test(
        path[0] ?? '',
      ) &&
      path[0] !== types?.[0] &&
      !path.some((name) => isType(name)),
  )
  const named = besides.find(({ path }) => IDENTIFIERS.test(path.at(-1) ?? ''))
  const plain = besides.filter(({ path }) => !DESCRIPTIVE.test(path.at(-1) ?? ''))
  const formed = plain.find(({ value }) =>
    /^[a-z][a-z0-9+.-]*:\S+$|^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(String(value)),
  )
  const sure = named ?? formed
  if (sure !== undefined) return { ...sure, sure: true }
  return plain[0] === undefined ? undefined : { ...plain[0], sure: false }
}
