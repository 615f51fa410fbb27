/** Determines the subjects of the checks: a type, its list and an entity, as named by the caller or found in the world. */
import { NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { expectJson } from '../http/expect.ts'
import { at, isObject, type JsonObject, membersOf, type Path, written } from '../json/json.ts'
import { findTypes, isType, type TypeList } from '../shapes/document.ts'
import { entryWith, findIds, idAt } from '../shapes/entities.ts'
import { findList } from '../shapes/lists.ts'
import { pathOf } from '../shapes/names.ts'
import { component, type Target } from './target.ts'

/** Maximum number of types whose lists are searched for an entity. */
const MOST_PROBED = 5
/** Maximum number of members tried as the id of an entity. */
const MOST_TRIED = 8

/** Returns the list of types in a document, found at the path that the caller named, or else by its name or content. */
export function typeList(target: Target, document: JsonObject): TypeList | undefined {
  return findTypes(document, pathOf(target.options.names?.entityTypes))
}

/** Returns the types that a document lists. An entry that names no type is returned unchanged. */
export function listedTypes(target: Target, document: JsonObject): readonly unknown[] {
  return typeList(target, document)?.types ?? []
}

/** Reports whether the world declares that reading requires a token. */
export async function requiresToken(target: Target): Promise<boolean> {
  return at((await target.document()).document, ['authentication', 'required']) === true
}

/** Returns the types of the world that have the form `prefix:name`, starting with the type that the caller named, if any. */
export function types(target: Target): Promise<string[]> {
  return target.once('types', async () => {
    const { document } = await target.document()
    const own = target.options.type
    const list = typeList(target, document)
    const listed: string[] = []
    for (const type of new Set(list?.types.filter(isType) ?? [])) {
      // If the list of types was only guessed, a string in it counts as a type if its list exists.
      const isList = async () => listed.length < MOST_PROBED && (await plainList(target, type)).status === 200
      if (list?.sure === true || (await isList())) listed.push(type)
    }
    return [...new Set([...(own === undefined ? [] : [own]), ...listed])]
  })
}

/**
 * Returns the type under test: the type that the caller named, else the first type with an entity, else the first type.
 * Throws NotAsked if no type is known.
 */
export function type(target: Target): Promise<string> {
  return target.once('type', async () => {
    const known = await types(target)
    const [first] = known
    if (first === undefined) throw new NotAsked('no entity type is known', { option: '--type' })
    if (target.options.type !== undefined) return first
    for (const name of known.slice(0, MOST_PROBED)) {
      const entries = entriesIn(target, (await plainList(target, name)).json) ?? []
      if (entries.length > 0) return name
    }
    return first
  })
}

/** Returns the route of a type's list, relative to the API. */
export function listRoute(typeName: string, query = ''): string {
  return `entities/${component(typeName)}${query}`
}

/** Returns the route of an entity, relative to the API. */
export function entityRoute(typeName: string, id: string): string {
  return `entities/${component(typeName)}/${component(id)}`
}

/** Returns the route of the list under test. */
export async function ownList(target: Target, query = ''): Promise<string> {
  return listRoute(await type(target), query)
}

/** Requests the list under test with `query`. */
export async function listWith(target: Target, query: string): Promise<Exchange> {
  return target.call(await ownList(target, query))
}

/** Returns the route of the entity under test. */
export async function ownEntity(target: Target): Promise<string> {
  return entityRoute(await type(target), (await id(target)).id)
}

/** Requests the list under test without a query, once per run. */
export async function list(target: Target): Promise<Exchange> {
  return plainList(target, await type(target))
}

/** Requests the list of a type without a query, once per run. */
export function plainList(target: Target, name: string): Promise<Exchange> {
  const route = listRoute(name)
  return target.once(`list ${route}`, () => target.call(route))
}

/** Returns the entries in the body of a list response, or undefined if the array is not recognised. */
export function entriesIn(target: Target, body: unknown): unknown[] | undefined {
  const path = pathOf(target.options.names?.entities) ?? findList(body)
  const found = path === undefined ? undefined : at(body, path)
  return Array.isArray(found) ? found.map((entry) => entryOf(target, entry)) : undefined
}

/** Applies `entryWith` to a list entry or a response body, with the entity path that the caller named, if any. */
export function entryOf(target: Target, entry: unknown): unknown {
  return entryWith(entry, pathOf(target.options.names?.entity))
}

/** Creates an error saying that `what` was not found in a body, and suggesting the option that names its path. */
export function unrecognised(body: unknown, what: string, name: string): NotAsked {
  const members = isObject(body) ? membersOf(body, 1).map(({ path }) => written(path)) : [typeof body]
  const among = members.slice(0, 12).join(', ') || 'no members'
  return new NotAsked(`${what} is not recognised among ${among}`, { option: `--names ${name}=...` })
}

/**
 * Returns the path to the ids: the path that the caller named, else the first whose value can be requested as an id.
 * Throws NotAsked if there is none. A member named like an id need not be requestable: other checks report that fault.
 */
export function idPath(target: Target): Promise<Path> {
  return target.once('id path', async () => {
    const given = pathOf(target.options.names?.id)
    if (given !== undefined) return given
    const name = await type(target)
    const exchange = await list(target)
    const entries = entriesIn(target, exchange.json) ?? []
    const [first] = entries
    if (first === undefined)
      throw new NotAsked('the list has no entity whose id could be read', { option: '--type' })
    const candidates = findIds(first)
    for (const path of candidates.slice(0, MOST_TRIED)) {
      for (const entry of entries.slice(0, 2)) {
        const id = idAt(entry, path)
        if (id === undefined) continue
        const { status, succeeded } = await getEntity(target, name, id)
        if (succeeded) return path
        if (status === 0) break
      }
    }
    const plain = candidates[0]
    const own = plain === undefined ? undefined : idAt(first, plain)
    const named = /^[_@$]?(id|identifier|uid|uuid|guid|key|slug)$/i.test(plain?.at(-1) ?? '')
    if (plain !== undefined && named && own !== undefined && !own.includes('/') && !isType(own)) return plain
    throw unrecognised(first, 'the id of an entity', 'id')
  })
}

/** Returns the id of the entity under test. `named`: the caller gave it. Throws NotAsked if no id is known. */
export async function id(target: Target): Promise<{ id: string; named: boolean }> {
  if (target.options.id !== undefined) return { id: target.options.id, named: true }
  const path = await idPath(target)
  const [first] = entriesIn(target, (await list(target)).json) ?? []
  const found = idAt(first, path)
  if (found === undefined) throw new NotAsked('the id of no entity is known', { option: '--id' })
  return { id: found, named: false }
}

/** Requests an entity, once per run. */
export function getEntity(target: Target, typeName: string, id: string): Promise<Exchange> {
  const route = entityRoute(typeName, id)
  return target.once(`entity ${route}`, () => target.call(route))
}

/** Requests the entity under test, once per run. */
export async function entity(target: Target): Promise<Exchange> {
  return getEntity(target, await type(target), (await id(target)).id)
}

/** Returns the responses of the GET routes: the discovery document, the list and the entity. */
export async function reads(target: Target): Promise<Exchange[]> {
  return [await target.discovery(), await list(target), await entity(target)]
}

/** Returns the entity under test. Throws NotAsked if it does not exist. */
export async function knownEntity(target: Target): Promise<{ exchange: Exchange; body: unknown }> {
  const exchange = await entity(target)
  return { exchange, body: entryOf(target, expectJson(exchange)) }
}
