/** Finding the id and the type of an entity, whatever their names. */
import { at, isObject, isScalar, type Member, membersOf, type Path } from './json.ts'

/** Members that wrap an entity, as in a search result with a rank beside it. */
const WRAPPERS =
  /^(entity|item|node|resource|record|document|doc|_source|source|hit|result|object|data|value|match)$/i
const IDS =
  /^[_@$]?(id|identifier|uid|uuid|guid|key|slug|code|handle|ident|ref|name|number|no|nr)$|_id$|[a-z]Id$/i
const TYPES = /^[_@$]?(type|kind|class|entity_?type|type_?name|category|of)$/i

/** Members that only an entity itself has. */
const OWN = /^[_@$]?(id|identifier|uid|uuid|guid|key|slug)$|_id$|[a-z]Id$/i
/** Objects that identify the entity; any other object in it may be a reference to another entity. */
const SELF =
  /^(ref|reference|key|meta|metadata|self|identity|identifier|address|header|head|entity|resource|system|sys)$/i

/** Returns the entity in an entry of a list, or in an answer: the value itself, or the entity that it wraps. */
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

/** Finds members of an entity that may be its id, the likeliest first. The empty path if the entry is the id itself. */
export function findIds(entry: unknown): Path[] {
  const entity = unwrapped(entry)
  if (isScalar(entity)) return [[]]
  const likely = ownMembers(entity).filter((member) => isScalar(member.value) && idRank(member) < NO_ID)
  return likely.sort((a, b) => idRank(a) - idRank(b)).map(({ path }) => path)
}

const NO_ID = 100

/** Ranks a member as the id: `id` first, then usual names, then other top members; outer members before inner ones. */
function idRank({ path }: Member): number {
  const last = path.at(-1) ?? ''
  const depth = path.length - 1
  if (last === 'id') return depth * 2
  if (/^[_@$]?id$/i.test(last)) return 1 + depth * 2
  if (IDS.test(last)) return 10 + depth
  return depth === 0 ? 20 : NO_ID
}

/** Returns the id of an entry as text, from the member that is known to hold it; undefined if it has none. */
export function idAt(entry: unknown, path: Path): string | undefined {
  const value = at(unwrapped(entry), path)
  return isScalar(value) ? String(value) : undefined
}

/** Reports whether an id needs no escape in a path. */
export function isPlain(id: string): boolean {
  return /^[\w.~:-]+$/.test(id)
}

/** Wraps the entity at a named path of an entry, with the texts beside it; returns the entry itself if nothing is there. */
export function entryWith(entry: unknown, path: Path | undefined): unknown {
  const entity = path === undefined || path.length === 0 ? undefined : at(entry, path)
  if (entity === undefined || !isObject(entry)) return entry
  const beside = Object.entries(entry).filter(([name, value]) => typeof value === 'string' && !OWN.test(name))
  return { ...Object.fromEntries(beside), entity }
}

/** Returns the members of an entity that describe the entity itself. */
function ownMembers(entity: unknown): Member[] {
  return membersOf(entity, 1).filter(({ path }) => path.length === 1 || SELF.test(path[0] ?? ''))
}

/** Finds the member in which an entity of this type names its type; undefined if it names none. */
export function findType(entry: unknown, type: string): Path | undefined {
  const found = ownMembers(unwrapped(entry)).filter(({ value }) => value === type)
  return (found.find(({ path }) => TYPES.test(path.at(-1) ?? '')) ?? found[0])?.path
}

/** Finds the member that by its name holds the type of an entity, if its value is one of `types`. */
export function findNamedType(entry: unknown, types: readonly string[]): Path | undefined {
  return ownMembers(unwrapped(entry)).find(
    ({ path, value }) => TYPES.test(path.at(-1) ?? '') && types.some((type) => type === value),
  )?.path
}

/** Returns the type beside a wrapped entity, if it is one of `types`. */
export function typeBeside(entry: unknown, types: readonly string[]): string | undefined {
  const found = membersOf(entry, 0).find(
    ({ path, value }) => TYPES.test(path[0] ?? '') && types.some((type) => type === value),
  )
  return found?.value as string | undefined
}
