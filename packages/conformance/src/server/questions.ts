/** Calls `worldwright:query`, and reads all entities of some types so that the kit can predict the results. */
import { NotApplicable } from '../check/check.ts'
import { demand, expectError } from '../http/expect.ts'
import { at, isObject, type JsonObject, objectsIn } from '../json/json.ts'
import { type Answer, addresses, answerOf } from './answers.ts'
import { census, MOST_TYPES, walk } from './pages.ts'
import type { Target } from './target.ts'

/** Name of the action, and of the extension that declares its input. */
const QUERY = 'worldwright:query'

/** Maximum number of entities in a type that the kit reads completely. */
const MOST_READ = 2_000
const MOST_TYPES_READ = 8

/** A property that can be queried, as listed by the extension. */
export interface Askable {
  readonly property: string | readonly string[]
  readonly kinds: readonly unknown[]
}

/** A type with all its entities, from which the kit can predict any query result. */
export interface Known {
  readonly type: string
  readonly entities: readonly JsonObject[]
  readonly properties: readonly Askable[]
}

/** A property of a type whose entities are known, with functions that read its values. */
export interface Subject<Value> extends Known {
  readonly property: Askable['property']
  /** Returns the values of the property in `entity` that have the requested kind. */
  readonly values: (entity: JsonObject) => Value[]
  /** Returns the entities in which `fits` returns true for at least one value of the property. */
  readonly having: (fits: (value: Value) => boolean) => JsonObject[]
}

/** Values of a property in several entities, one array per entity. */
export type Values<Value> = readonly (readonly Value[])[]

/** Returns the extension. Throws NotApplicable if both it and the action are missing; fails if only one of them is. */
export async function declared(target: Target): Promise<JsonObject> {
  const { document, exchange } = await target.document()
  const extension = at(document, ['extensions', QUERY])
  const isAction = objectsIn(document['actions']).some(({ name }) => name === QUERY)
  if (extension === undefined && !isAction) throw new NotApplicable(`the world does not declare ${QUERY}`)
  demand(isAction, `the extension ${QUERY} stands without the action`, exchange)
  demand(isObject(extension), `the action ${QUERY} stands without the extension`, exchange)
  return extension
}

/** Runs a query. Fails unless the response is 200 with an array of objects in `output.entities`. */
export async function query(target: Target, input: JsonObject): Promise<Answer> {
  return answerOf(await call(target, input))
}

/** Fails unless a query is refused with a fault at or below each of `pointers`. Returns the error details. */
export async function expectFaults(
  target: Target,
  input: JsonObject,
  ...pointers: string[]
): Promise<JsonObject> {
  const exchange = await call(target, input)
  const details = expectError(exchange, 400, 'invalid_input', 'fields')
  const fields = objectsIn(details['fields'])
  for (const pointer of pointers) {
    const isNamed = fields.some((field) => `${field['pointer']}/`.startsWith(`${pointer}/`))
    demand(isNamed, `details.fields does not name ${pointer}`, exchange)
  }
  return details
}

/** Calls the action with `input`, which may be invalid. */
export function call(target: Target, input: JsonObject) {
  return target.discover({ input }, {}, `actions/${encodeURIComponent(QUERY)}`)
}

/** Returns the JSON form of a CQL2 condition. */
export function condition(op: string, ...args: readonly unknown[]): JsonObject {
  return { op, args }
}

/** Reads all entities of several small types, once per run. Throws NotApplicable if there is no suitable type. */
export function knownTypes(target: Target): Promise<readonly Known[]> {
  return target.once('known types', async () => {
    const extension = await declared(target)
    const fitting = [...(await census(target))].filter(([, total]) => total >= 2 && total <= MOST_READ)
    const known: Known[] = []
    for (const [type] of fitting.slice(0, MOST_TYPES_READ)) {
      const pages = await walk(target, type, MOST_READ, MOST_READ)
      const properties = [...listed(extension['properties']), ...listed(at(extension, ['types', type]))]
      known.push({ type, entities: pages.flatMap(({ entities }) => entities), properties })
    }
    if (known.length === 0)
      throw new NotApplicable(`none of the first ${MOST_TYPES} types has between 2 and ${MOST_READ} entities`)
    return known
  })
}

/** Returns the first type that was read completely. */
export async function anyType(target: Target): Promise<Known> {
  const [known] = await knownTypes(target)
  if (known === undefined) throw new NotApplicable('no type is known')
  return known
}

/** Returns the array elements that describe properties. Returns an empty array if `value` is not an array. */
export function listed(value: unknown): Askable[] {
  return objectsIn(value).flatMap(({ property, kinds }) => {
    const isName = typeof property === 'string' || (Array.isArray(property) && property.length > 0)
    return isName && Array.isArray(kinds) ? [{ property, kinds }] : []
  })
}

/** Returns the first property of `kind` whose values satisfy `fits`. Throws NotApplicable if there is none. */
export async function subject<Value>(
  target: Target,
  kind: string,
  isValue: (value: unknown) => value is Value,
  what: string,
  fits: (values: Values<Value>) => boolean = (values) => values.flat().length > 0,
): Promise<Subject<Value>> {
  for (const known of await knownTypes(target)) {
    for (const { property, kinds } of known.properties) {
      // Skip properties with several kinds, because some queries must then say which kind they mean.
      if (kinds.length !== 1 || kinds[0] !== kind) continue
      const values = (entity: JsonObject) => valuesAt(entity, property).filter(isValue)
      const having = (suits: (value: Value) => boolean) =>
        known.entities.filter((entity) => values(entity).some(suits))
      if (fits(known.entities.map(values))) return { ...known, property, values, having }
    }
  }
  throw new NotApplicable(`no type that the kit can read whole has ${what}`)
}

/** Reports whether at least two of the values differ. */
export function isVaried(all: Values<unknown>): boolean {
  return new Set(all.flat()).size > 1
}

/** Returns the first property with strings that are short enough for any index. */
export function shortTexts(
  target: Target,
  fits?: (values: Values<string>) => boolean,
): Promise<Subject<string>> {
  return subject(target, 'text', isShortText, 'a property with short texts', fits)
}

/** Returns the first property that contains references. */
export function references(target: Target): Promise<Subject<Reference & JsonObject>> {
  return subject(target, 'reference', isReference, 'a property with references')
}

const MEMBERS = ['type', 'id', 'title', 'createdAt', 'updatedAt']

/** Returns the values of a property, flattening arrays. `property` is a member of the entity or a path into `attributes`. */
export function valuesAt(entity: JsonObject, property: Askable['property']): unknown[] {
  const names = typeof property === 'string' ? property.split('.') : property
  const [first = '', ...others] = names
  if (others.length === 0 && MEMBERS.includes(first)) return first in entity ? [entity[first]] : []
  return inside(entity['attributes'], first === 'attributes' ? others : names)
}

function inside(value: unknown, names: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((element) => inside(element, names))
  const [name, ...others] = names
  if (name === undefined) return [value]
  return isObject(value) && Object.hasOwn(value, name) ? inside(value[name], others) : []
}

/** Fails unless a query finds exactly the `expected` entities, judging by its first page and its total. */
export async function expectFound(
  target: Target,
  type: string,
  where: JsonObject,
  expected: readonly JsonObject[],
): Promise<void> {
  const { output, entities, exchange } = await query(target, { types: [type], where })
  const wanted = new Set(addresses(expected))
  const stray = addresses(entities).find((address) => !wanted.has(address))
  demand(stray === undefined, `${stray} is found, for which the condition does not hold`, exchange)
  const isAll = output['total'] === expected.length || output['totalIsLowerBound'] === true
  demand(isAll, `total is ${output['total']}, the condition holds for ${expected.length}`, exchange)
  demand(entities.length > 0 || expected.length === 0, 'the page is empty', exchange)
}

/** Reports whether a value is a number. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

/** Reports whether a value is a string of 2 to 64 characters, which is short enough for any index. */
export function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 1 && value.length <= 64
}

/** Reference to an entity by its type and id. */
export interface Reference {
  readonly type: string
  readonly id: string
}

/** Reports whether a value has the form `{ type, id }` without other members. */
export function isReference(value: unknown): value is Reference & JsonObject {
  if (!isObject(value) || Object.keys(value).sort().join() !== 'id,type') return false
  return typeof value['type'] === 'string' && typeof value['id'] === 'string'
}
