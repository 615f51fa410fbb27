/** Determines the subjects of the checks: a type, its list and an entity, as named by the caller or found in the world. */
import { valueAt } from '@worldwright/client/foreign'
import { NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { expectJson } from '../http/expect.ts'
import { at, isObject, membersOf, written } from '../json/json.ts'
import { descriptionOf, type Entry, entryFrom, known, listedTypes, listPathIn } from './profile.ts'
import { component, type Target } from './target.ts'

/** Maximum number of types whose lists are searched for an entity. */
const MOST_PROBED = 5

/** Reports whether a value is a string of the form `prefix:name`. */
export function isType(text: unknown): text is string {
  return typeof text === 'string' && /^[^:\s]+:[^:\s]([^:]*[^:\s])?$/.test(text)
}

/** Reports whether an id needs no escaping in a URL path. */
export function isPlain(id: string | undefined): id is string {
  return id !== undefined && /^[\w.~:-]+$/.test(id)
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
    const { path = '', certainty } = descriptionOf(target, document).entityTypes ?? {}
    const isGuess = certainty === 'likely' && !/(types?|kinds?)$/i.test(path)
    const listed: string[] = []
    for (const type of new Set(listedTypes(target, document).filter(isType))) {
      // If the list of types was only guessed, a string in it counts as a type if its list exists.
      const isList = async () => listed.length < MOST_PROBED && (await plainList(target, type)).status === 200
      if (!isGuess || (await isList())) listed.push(type)
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
    const all = await types(target)
    const [first] = all
    if (first === undefined) throw new NotAsked('no entity type is known', { option: '--type' })
    if (target.options.type !== undefined) return first
    for (const name of all.slice(0, MOST_PROBED)) {
      const found = await entriesIn(target, (await plainList(target, name)).json)
      if (found !== undefined && found.length > 0) return name
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

/** Returns the member of a list response in which its items should be. */
export async function itemsIn(target: Target, body: unknown): Promise<unknown> {
  return valueAt(body, listPathIn(body, await known(target)))
}

/** Returns the items in the body of a list response, or undefined if it has no array where the profile has one. */
export async function entriesIn(target: Target, body: unknown): Promise<Entry[] | undefined> {
  const names = await known(target)
  const found = await itemsIn(target, body)
  return Array.isArray(found) ? found.map((raw) => entryFrom(raw, names)) : undefined
}

/** Creates an error saying that `what` was not found in a body, and suggesting the option that names its path. */
export function unrecognised(body: unknown, what: string, name: string): NotAsked {
  const members = isObject(body) ? membersOf(body, 1).map(({ path }) => written(path)) : [typeof body]
  const among = members.slice(0, 12).join(', ') || 'no members'
  return new NotAsked(`${what} is not recognised among ${among}`, { option: `--names ${name}=...` })
}

/** Returns the id of the entity under test. `named`: the caller gave it. Throws NotAsked if no id is known. */
export async function id(target: Target): Promise<{ id: string; named: boolean }> {
  if (target.options.id !== undefined) return { id: target.options.id, named: true }
  const [first] = (await entriesIn(target, (await list(target)).json)) ?? []
  if (first === undefined)
    throw new NotAsked('the list has no entity whose id could be read', { option: '--type' })
  if (first.id === undefined) throw unrecognised(first.raw, 'the id of an entity', 'id')
  return { id: first.id, named: false }
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
export async function knownEntity(target: Target): Promise<{ exchange: Exchange; entry: Entry }> {
  const exchange = await entity(target)
  return { exchange, entry: entryFrom(expectJson(exchange), await known(target)) }
}
