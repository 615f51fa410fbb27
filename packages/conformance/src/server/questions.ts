/** Calling `worldwright:query`, and the entities from which the kit predicts its results. */
import { NotApplicable } from '../check/check.ts'
import { demand, expectError } from '../http/expect.ts'
import { at, isObject, type JsonObject, objectsIn } from '../shapes/json.ts'
import { type Answer, addresses, answerOf } from './answers.ts'
import { census, MOST_TYPES, walk } from './pages.ts'
import type { Target } from './target.ts'

/** Name of the action, and of the extension that declares its input. */
const QUERY = 'worldwright:query'

/** Maximum entities of a type that is read whole, and maximum number of such types. */
const MOST_READ = 2_000
const MOST_TYPES_READ = 8

/** A property as the extension lists it. */
export interface Askable {
  readonly property: string | readonly string[]
  readonly kinds: readonly unknown[]
}

/** A type with all its entities, so that every answer about it can be predicted. */
export interface Known {
  readonly type: string
  readonly entities: readonly JsonObject[]
  readonly properties: readonly Askable[]
}

/** A property for which entities of a type have values. */
export interface Subject<Value> extends Known {
  readonly property: Askable['property']
  /** Returns the values of one entity, of the kind that was looked for. */
  readonly values: (entity: JsonObject) => Value[]
  /** Returns the entities with a value that fits. */
  readonly having: (fits: (value: Value) => boolean) => JsonObject[]
}

/** Values of a property, entity by entity. */
export type Values<Value> = readonly (readonly Value[])[]

/** Returns the extension. Not applicable if the world has neither the action nor the extension. */
export async function declared(target: Target): Promise<JsonObject> {
  const { document, exchange } = await target.document()
  const extension = at(document, ['extensions', QUERY])
  const isAction = objectsIn(document['actions']).some(({ name }) => name === QUERY)
  if (extension === undefined && !isAction) throw new NotApplicable(`the world does not declare ${QUERY}`)
  demand(isAction, `the extension ${QUERY} stands without the action`, exchange)
  demand(isObject(extension), `the action ${QUERY} stands without the extension`, exchange)
  return extension
}

/** Calls the action; fails unless the answer is 200 with an array of objects in `output.entities`. */
export async function query(target: Target, input: JsonObject): Promise<Answer> {
  return answerOf(await call(target, input))
}

/** Fails unless an input is refused with each fault at or below its pointer. Returns the details of the error. */
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

/** Calls the action with any input, valid or not. */
export function call(target: Target, input: JsonObject) {
  return target.discover({ input }, {}, `actions/${encodeURIComponent(QUERY)}`)
}

/** Returns a condition of CQL2 as JSON. */
export function condition(op: string, ...args: readonly unknown[]): JsonObject {
  return { op, args }
}

/** Returns the types that can be read whole, with their entities. Not applicable if there is none. */
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

/** Returns the first type that is known whole. */
export async function anyType(target: Target): Promise<Known> {
  const [known] = await knownTypes(target)
  if (known === undefined) throw new NotApplicable('no type is known')
  return known
}

/** Returns the entries of a list that have the form of properties. */
export function listed(value: unknown): Askable[] {
  return objectsIn(value).flatMap(({ property, kinds }) => {
    const isName = typeof property === 'string' || (Array.isArray(property) && property.length > 0)
    return isName && Array.isArray(kinds) ? [{ property, kinds }] : []
  })
}

/** Returns the first property of a kind whose values fit. Not applicable without one; `what` describes it. */
export async function subject<Value>(
  target: Target,
  kind: string,
  isValue: (value: unknown) => value is Value,
  what: string,
  fits: (values: Values<Value>) => boolean = isGiven,
): Promise<Subject<Value>> {
  for (const known of await knownTypes(target)) {
    for (const { property, kinds } of known.properties) {
      // If a property has several kinds, some queries must name one.
      if (kinds.length !== 1 || kinds[0] !== kind) continue
      const values = (entity: JsonObject) => valuesAt(entity, property).filter(isValue)
      const having = (suits: (value: Value) => boolean) =>
        known.entities.filter((entity) => values(entity).some(suits))
      if (fits(known.entities.map(values))) return { ...known, property, values, having }
    }
  }
  throw new NotApplicable(`no type that the kit can read whole has ${what}`)
}

function isGiven(all: Values<unknown>): boolean {
  return all.flat().length > 0
}

/** Reports whether at least two values differ. */
export function isVaried(all: Values<unknown>): boolean {
  return new Set(all.flat()).size > 1
}

/** Returns the first property with texts that any index takes whole. */
export function shortTexts(
  target: Target,
  fits?: (values: Values<string>) => boolean,
): Promise<Subject<string>> {
  return subject(target, 'text', isShortText, 'a property with short texts', fits)
}

/** Returns the first property with references. */
export function references(target: Target): Promise<Subject<Reference & JsonObject>> {
  return subject(target, 'reference', isReference, 'a property with references')
}

const MEMBERS = ['type', 'id', 'title', 'createdAt', 'updatedAt']

/** Returns an entity's values of a property: its own member, or a path into its attributes; of lists each element. */
function valuesAt(entity: JsonObject, property: Askable['property']): unknown[] {
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

/** Fails unless exactly these entities of the type are found, as far as the first page and the total show. */
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

/** Reports whether a value is a finite number. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

/** Reports whether a value is a text that any index takes whole. */
export function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 1 && value.length <= 64
}

/** A reference to an entity. */
export interface Reference {
  readonly type: string
  readonly id: string
}

/** Reports whether a value is `{ type, id }` without other members. */
export function isReference(value: unknown): value is Reference & JsonObject {
  if (!isObject(value) || Object.keys(value).sort().join() !== 'id,type') return false
  return typeof value['type'] === 'string' && typeof value['id'] === 'string'
}
