/** Subjects of the checks: a type, an entity and its list; found once, or named by the caller. */
import { NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { expectJson } from '../http/expect.ts'
import { findTypes, isType, type TypeList } from '../shapes/document.ts'
import { entryWith, findIds, idAt } from '../shapes/entities.ts'
import { at, isObject, type JsonObject, membersOf, type Path, written } from '../shapes/json.ts'
import { findList } from '../shapes/lists.ts'
import { pathOf } from '../shapes/names.ts'
import { component, type Target } from './target.ts'

/** Maximum number of types that are searched for an entity. */
const MOST_PROBED = 5
/** Maximum number of members that are tried as the id of an entity. */
const MOST_TRIED = 8

/** Returns the list of types in a document, by the given name or by its appearance. */
export function typeList(target: Target, document: JsonObject): TypeList | undefined {
  return findTypes(document, pathOf(target.options.names?.entityTypes))
}

/** Returns the types that a document lists; an entry that names none is returned unchanged. */
export function listedTypes(target: Target, document: JsonObject): readonly unknown[] {
  return typeList(target, document)?.types ?? []
}

/** Reports whether the world says that reading it needs a token. */
export async function requiresToken(target: Target): Promise<boolean> {
  return at((await target.document()).document, ['authentication', 'required']) === true
}

/** Returns the world's types that have a valid form, the one that the caller named first. */
export function types(target: Target): Promise<string[]> {
  return target.once('types', async () => {
    const { document } = await target.document()
    const own = target.options.type
    const list = typeList(target, document)
    const listed: string[] = []
    for (const type of new Set(list?.types.filter(isType) ?? [])) {
      // A text that only looks like a type is one if its list exists.
      const isList = async () => listed.length < MOST_PROBED && (await plainList(target, type)).status === 200
      if (list?.sure === true || (await isList())) listed.push(type)
    }
    return [...new Set([...(own === undefined ? [] : [own]), ...listed])]
  })
}

/**
 * Returns the type that most checks ask about: the caller's, else the first that has an entity to ask for, else the first.
 * Not asked if none is known.
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

/** Returns the route of the list of a type. */
export function listRoute(typeName: string, query = ''): string {
  return `entities/${component(typeName)}${query}`
}

/** Returns the route of an entity of a type. */
export function entityRoute(typeName: string, id: string): string {
  return `entities/${component(typeName)}/${component(id)}`
}

/** Returns the route of the list that most checks ask about. */
export async function ownList(target: Target, query = ''): Promise<string> {
  return listRoute(await type(target), query)
}

/** Requests the list that most checks ask about, with a query. */
export async function listWith(target: Target, query: string): Promise<Exchange> {
  return target.call(await ownList(target, query))
}

/** Returns the route of the entity that most checks ask about. */
export async function ownEntity(target: Target): Promise<string> {
  return entityRoute(await type(target), (await id(target)).id)
}

/** Requests the plain list of the type, once per run. */
export async function list(target: Target): Promise<Exchange> {
  return plainList(target, await type(target))
}

/** Requests the plain list of a type, once per run. */
export function plainList(target: Target, name: string): Promise<Exchange> {
  const route = listRoute(name)
  return target.once(`list ${route}`, () => target.call(route))
}

/** Returns the entries of a list answer: from the member that the caller named, else from the usual ones. */
export function entriesIn(target: Target, body: unknown): unknown[] | undefined {
  const path = pathOf(target.options.names?.entities) ?? findList(body)
  const found = path === undefined ? undefined : at(body, path)
  return Array.isArray(found) ? found.map((entry) => entryOf(target, entry)) : undefined
}

/** Returns an entry of a list, or an answer, with its entity at the path that the caller named, if any. */
export function entryOf(target: Target, entry: unknown): unknown {
  return entryWith(entry, pathOf(target.options.names?.entity))
}

/** Creates the error that `what` was not found in a body, with the option that names it. */
export function unrecognised(body: unknown, what: string, name: string): NotAsked {
  const members = isObject(body) ? membersOf(body, 1).map(({ path }) => written(path)) : [typeof body]
  const among = members.slice(0, 12).join(', ') || 'no members'
  return new NotAsked(`${what} is not recognised among ${among}`, { option: `--names ${name}=...` })
}

/**
 * Returns the member that holds the id of an entity: the caller's, else the first by which an entity of the list is found.
 * Not asked if there is none; `id` counts even if it leads nowhere, so that the checks report it.
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
    if (plain?.join() === 'id' && own !== undefined && !own.includes('/') && !isType(own)) return plain
    throw unrecognised(first, 'the id of an entity', 'id')
  })
}

/** Returns the id of an entity, and whether the caller named it. Not asked if none is known. */
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

/** Requests the entity that most checks ask about, once per run. */
export async function entity(target: Target): Promise<Exchange> {
  return getEntity(target, await type(target), (await id(target)).id)
}

/** Returns the plain answers of the GET routes: the discovery document, the list and the entity. */
export async function reads(target: Target): Promise<Exchange[]> {
  return [await target.discovery(), await list(target), await entity(target)]
}

/** Returns the entity that most checks ask about. Not asked if it does not exist. */
export async function knownEntity(target: Target): Promise<{ exchange: Exchange; body: unknown }> {
  const exchange = await entity(target)
  return { exchange, body: entryOf(target, expectJson(exchange)) }
}
