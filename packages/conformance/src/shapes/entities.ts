/** Finds the id and the type of an entity regardless of their member names. */
import { at, isObject, isScalar, type Member, membersOf, type Path } from '../json/json.ts'

/** Names of members that may contain the whole entity, as in a search result with a rank. */
const WRAPPERS =
  /^(entity|item|node|resource|record|document|doc|_source|source|hit|result|object|data|value|match)$/i
const IDS =
  /^[_@$]?(id|identifier|uid|uuid|guid|key|slug|code|handle|ident|ref|name|number|no|nr)$|_id$|[a-z]Id$/i
const TYPES = /^[_@$]?(type|kind|class|entity_?type|type_?name|category|of)$/i

/** Names of members that only the entity itself has, not an object that contains it. */
const OWN = /^[_@$]?(id|identifier|uid|uuid|guid|key|slug)$|_id$|[a-z]Id$/i
/** Names of nested objects that identify the entity; any other nested object might refer to a different entity. */
const SELF =
  /^(ref|reference|key|meta|metadata|self|identity|identifier|address|header|head|entity|resource|system|sys)$/i

/** Returns the entity in a list entry or a response: `entry` itself, or the entity nested in it. */
export function unwrapped(entry: unknown): unknown {
  if (Array.isArray(entry) && entry.length === 1) return unwrapped(entry[0])
  if (!isObject(entry)) return entry
  if (Object.entries(entry).some(([name, value]) => OWN.test(name) && isScalar(value))) return entry
  const wrapped = Object.entries(entry).find(
    ([name, value]) => WRAPPERS.test(name) && (isObject(value) || isSingle(value)),
  )
  return wrapped === undefined ? entry : unwrapped(wrapped[1])
}

function isSingle(value: unknown): boolean {
  return Array.isArray(value) && value.length === 1 && isObject(value[0])
}

/** Returns candidate paths for the id of an entity, likeliest first. The empty path means that the entity is only an id. */
export function findIds(entry: unknown): Path[] {
  const entity = unwrapped(entry)
  if (isScalar(entity)) return [[]]
  const likely = ownMembers(entity).filter((member) => isScalar(member.value) && idRank(member) < NO_ID)
  return likely.sort((a, b) => idRank(a) - idRank(b)).map(({ path }) => path)
}

const NO_ID = 100

/** Ranks a member as a candidate for the id; lower is better. `id` comes first, then common names, then the rest. */
function idRank({ path }: Member): number {
  const last = path.at(-1) ?? ''
  const depth = path.length - 1
  if (last === 'id') return depth * 2
  if (/^[_@$]?id$/i.test(last)) return 1 + depth * 2
  if (IDS.test(last)) return 10 + depth
  return depth === 0 ? 20 : NO_ID
}

/** Returns the id at `path` in the entity of an entry, as a string; undefined if there is none. */
export function idAt(entry: unknown, path: Path): string | undefined {
  const value = at(unwrapped(entry), path)
  return isScalar(value) ? String(value) : undefined
}

/** Reports whether an id needs no escaping in a URL path. */
export function isPlain(id: string): boolean {
  return /^[\w.~:-]+$/.test(id)
}

/** Returns an object with the entity at `path` and the top-level strings of `entry`, or `entry` if `path` leads nowhere. */
export function entryWith(entry: unknown, path: Path | undefined): unknown {
  const entity = path === undefined || path.length === 0 ? undefined : at(entry, path)
  if (entity === undefined || !isObject(entry)) return entry
  const beside = Object.entries(entry).filter(([name, value]) => typeof value === 'string' && !OWN.test(name))
  return { ...Object.fromEntries(beside), entity }
}

/** Returns the members that belong to the entity itself and not to another entity to which it refers. */
function ownMembers(entity: unknown): Member[] {
  return membersOf(entity, 1).filter(({ path }) => path.length === 1 || SELF.test(path[0] ?? ''))
}

/** Returns the path of the member whose value is `type`, or undefined if there is none. */
export function findType(entry: unknown, type: string): Path | undefined {
  const found = ownMembers(unwrapped(entry)).filter(({ value }) => value === type)
  return (found.find(({ path }) => TYPES.test(path.at(-1) ?? '')) ?? found[0])?.path
}

/** Returns the path of a member that is named like a type and whose value is one of `types`, or undefined. */
export function findNamedType(entry: unknown, types: readonly string[]): Path | undefined {
  return ownMembers(unwrapped(entry)).find(
    ({ path, value }) => TYPES.test(path.at(-1) ?? '') && types.some((type) => type === value),
  )?.path
}

/** Returns the type given next to a wrapped entity, or undefined if it is not one of `types`. */
export function typeBeside(entry: unknown, types: readonly string[]): string | undefined {
  const found = membersOf(entry, 0).find(
    ({ path, value }) => TYPES.test(path[0] ?? '') && types.some((type) => type === value),
  )
  return found?.value as string | undefined
}
