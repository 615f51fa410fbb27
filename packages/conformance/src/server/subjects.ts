/** What the checks are about: a type, an entity, its list; found once, or named by the caller. */
import { NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { isObject, type JsonObject } from '../http/expect.ts'
import { component, type Target } from './target.ts'

/** `prefix:name`, as far as Level 1 says. */
const TYPE_FORM = /^[^:]+:[^:]+$/
/** The names of the list of types in a discovery document, those of others included. */
const TYPE_MEMBERS = ['entityTypes', 'entity_types', 'types']
/** The names of the list of entities in an answer, those of others included. */
const LIST_MEMBERS = ['entities', 'items', 'results', 'data', 'matches']

/** The entity types that a document lists; an entry that names none is given as it is. */
export function listedTypes(document: JsonObject): unknown[] {
  const member = TYPE_MEMBERS.map((name) => document[name]).find((value) => value !== undefined)
  if (isObject(member)) return Object.keys(member)
  return Array.isArray(member) ? member.map(typeOfEntry) : []
}

function typeOfEntry(entry: unknown): unknown {
  if (!isObject(entry)) return entry
  const strings = [entry['type'], ...Object.values(entry)].filter((value) => typeof value === 'string')
  return strings.find((value) => TYPE_FORM.test(value)) ?? entry
}

/** The types of the world that have the form of one, the caller's first. */
export async function types(target: Target): Promise<string[]> {
  const { document } = await target.document()
  const listed = listedTypes(document).filter((type) => typeof type === 'string' && TYPE_FORM.test(type))
  const own = target.options.type
  return [...new Set([...(own === undefined ? [] : [own]), ...(listed as string[])])]
}

/**
 * The type that most checks ask about: the caller's, else the first that has an entity to ask for, else the first.
 * Not applicable where none is known.
 */
export function type(target: Target): Promise<string> {
  return target.once('type', async () => {
    const known = await types(target)
    const [first] = known
    if (first === undefined) throw new NotApplicable('no entity type is known: name one with --type')
    if (target.options.type !== undefined) return first
    for (const name of known.slice(0, MOST_PROBED)) {
      const [entity] = entitiesIn(target, (await plainList(target, name)).json) ?? []
      if (isObject(entity) && typeof entity['id'] === 'string') return name
    }
    return first
  })
}

/** How many types are looked into for an entity. */
const MOST_PROBED = 5

/** The route of a list. */
export function listRoute(typeName: string, query = ''): string {
  return `entities/${component(typeName)}${query}`
}

/** The route of an entity. */
export function entityRoute(typeName: string, id: string): string {
  return `entities/${component(typeName)}/${component(id)}`
}

/** The plain list of the type, asked once per run. */
export async function list(target: Target): Promise<Exchange> {
  return plainList(target, await type(target))
}

function plainList(target: Target, name: string): Promise<Exchange> {
  const route = listRoute(name)
  return target.once(`list ${route}`, () => target.call(route))
}

/** The entities in an answer: in the member the caller named, else where worlds usually have them. */
export function entitiesIn(target: Target, body: unknown): unknown[] | undefined {
  if (!isObject(body)) return undefined
  const names = target.options.entitiesField === undefined ? LIST_MEMBERS : [target.options.entitiesField]
  const found = names.map((name) => body[name]).find(Array.isArray)
  return found ?? (isObject(body['output']) ? entitiesIn(target, body['output']) : undefined)
}

/** The id of an entity, and whether the caller named it. Not applicable where none is known. */
export async function id(target: Target): Promise<{ id: string; named: boolean }> {
  if (target.options.id !== undefined) return { id: target.options.id, named: true }
  const [first] = entitiesIn(target, (await list(target)).json) ?? []
  const found = isObject(first) ? first['id'] : undefined
  if (typeof found !== 'string') throw new NotApplicable('the id of no entity is known: name one with --id')
  return { id: found, named: false }
}

/** The entity that most checks ask about, asked once per run. */
export async function entity(target: Target): Promise<Exchange> {
  const route = entityRoute(await type(target), (await id(target)).id)
  return target.once(`entity ${route}`, () => target.call(route))
}
