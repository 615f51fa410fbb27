/**
 * Interprets entities with other member names, in a wrapper, or without a type or id of their own.
 */
import { type Entity, type EntityRef, isObject, type JsonObject } from '../protocol.ts'
import {
  candidates,
  type Found,
  find,
  isBranch,
  isFilled,
  isKey,
  isPrefixed,
  isWords,
  type Known,
  TITLE,
  valueAt,
} from './find.ts'
import { noteInterpretation, partsOf } from './interpretation.ts'
import type { Names } from './names.ts'

const TYPE = /type(name)?$|^kind/
const ID = /^((entity)?id|identifier|slug|key|code|ur[in])$/
// Names of ids, likeliest first. The last pattern stands for any member that may be the id if none has a usual name.
const IDS = [ID, /id$/, /^(?!title|label|head|desc|summ|kind|(entity)?type)/]
// Names of members that contain a whole entity, and of those that contain only its type and id.
const WRAPPER = /^(entity|item|node|hit|match|result|record|doc|data)/i
const HEAD = /^(meta|head|self|ref|key|ident)/i

/**
 * Converts a list item, or the response to a request for one entity, to our names. If there is no attributes object, the
 * remaining members become the attributes. A missing type or id is taken from the request, else it is an empty string. The
 * requested id takes precedence over one with an unproved name.
 */
export function entityFrom(item: unknown, names: Known, askedType = '', askedId = ''): Entity {
  const members = membersOf(item, names, askedType)
  const at = <T>(fits: (value: unknown) => value is T, likely: RegExp, key: keyof Names, root = members) =>
    find(root, fits, likely, names, key, key, 1)
  const attributes = at(isObject, /^(attr|prop|field|source|(data|body)$)/, 'attributes')
  const all = { ...attributes?.value, ...members }
  const type = typeIn(members, names, askedType) ?? typeIn(item, names, askedType)
  const ids = idsIn(members, names, type?.value ?? askedType)
  const found = {
    type,
    id: askedId
      ? (ids.find(({ value }) => `${value}` === askedId) ?? ids.find((one) => one.certainty !== 'likely'))
      : ids[0],
    title: at(isWords, TITLE, 'title', all),
    summary: at(isWords, /summary|descri/, 'summary', all),
    attributes,
  }
  const { id, title, summary } = found
  const used = Object.values(found).map((part) => part?.path)
  const left = Object.fromEntries(Object.entries(members).filter(([name]) => !used.includes(name)))
  // If the attributes object has our name, other members stay beside it and do not become attributes.
  const isBeside = attributes?.certainty === 'ours'
  // A member never replaces another one of the same name.
  const isClash =
    !isBeside && attributes && Object.keys(left).some((name) => Object.hasOwn(attributes.value, name))
  const entity = {
    ...(isBeside && left),
    type: type?.value ?? askedType,
    id: `${id?.value ?? askedId}`,
    ...(title && { title: title.value }),
    ...(summary && { summary: summary.value }),
    attributes: {
      ...(!isBeside && left),
      ...(isClash ? { [attributes.path]: attributes.value } : attributes?.value),
    } as JsonObject,
  }
  return noteInterpretation(entity, item, found)
}

/** Reports whether type, id and attributes of an entity had our names. */
export function isOurs(entity: Entity): boolean {
  const { type, id, attributes } = partsOf(entity)
  return [type, id, attributes].every((part) => part?.certainty === 'ours')
}

/** Returns candidates for the id among the members of an entity, likeliest first. Names proved for its type come first. */
export function idsIn(members: unknown, names: Known = {}, type = ''): Found<string | number>[] {
  const paths = { id: names.ids?.[type] ?? names.paths?.id }
  return candidates(members, isKey, IDS, { id: names.id, paths }, 'id', 'id', 1)
}

/**
 * Returns the members of the entity in a list item or in a response. If its type and id stand in a head, as in
 * `{ meta: { type, id }, body }`, the members of the head have their paths as names.
 */
export function membersOf(item: unknown, names: Known, type: string): Record<string, unknown> {
  const path = names.entity ?? names.paths?.entity?.[0]?.path
  // The entities of lists may be in a wrapper, and those of search results not.
  const given = path === undefined ? undefined : valueAt(item, path)
  const body = given ?? unwrapped(item, names, type)
  const [around, head] = headIn(body, type) ?? []
  if (!isObject(body) || !head) return isObject(body) ? body : { id: body }
  const { [`${around}`]: _, ...members } = body
  for (const [name, value] of Object.entries(head)) members[`${around}.${name}`] = value as JsonObject
  return members
}

/** Returns the name and value of the member that has the type and id of an entity whose other members stand beside it. */
function headIn(item: unknown, type: string): [string, unknown] | undefined {
  const branches = Object.entries(isObject(item) && !idIn(item) ? item : {}).filter(([, one]) =>
    isObject(one),
  )
  return branches.find(([name, one]) => {
    const values = Object.values(Object(one))
    const isTyped = type && values.includes(type)
    const isHead = HEAD.test(name) ? isTyped || idIn(one) : isTyped && branches[1] && !WRAPPER.test(name)
    return isHead && !values.some(isBranch)
  })
}

/** Returns the entity inside a hit such as `{ rank, entity }`, a response such as `{ data }`, or an array of one element. */
function unwrapped(item: unknown, names: Known, type: string, levels = 3): unknown {
  if (!levels || !isBranch(item) || idIn(item, names) || headIn(item, type)) return item
  const inner = Object.entries(item)
    .map(([name, value]) => ({ name, one: unwrapped(value, names, type, levels - 1) }))
    .filter(({ one }) => isObject(one))
  const own = typeIn(item, names, type)?.value
  const isAlone = !inner[1] && !Object.values(item).some((one) => isFilled(one) && one !== own)
  const found = inner.find(({ name, one }) => isAlone || (WRAPPER.test(name) && idIn(one, names)))
  return found ? found.one : item
}

/** Returns `value` as a reference if it consists of a type, an id and at most two other strings, else undefined. */
export function referenceIn(value: unknown): EntityRef | undefined {
  const type = typeIn(value)?.value
  const id = idIn(value)?.value
  const values = Object.values(Object(value))
  return type && id !== undefined && values.length < 5 && values.every(isFilled)
    ? { type, id: `${id}` }
    : undefined
}

/** Finds the type: the requested one, or else any that the world declares, or else any prefixed name. */
function typeIn(item: unknown, names: Known = {}, asked = ''): Found<string> | undefined {
  const isKnown = (value: unknown): value is string =>
    asked ? value === asked : !!names.declared?.includes(value as string)
  return (
    candidates(item, isKnown, asked ? [TYPE] : [/^(entity)?type|^kind/, /^/], names, 'type', 'type', 1)[0] ??
    find(item, isPrefixed, TYPE, names, 'type', 'type', 1)
  )
}

function idIn(item: unknown, names: Known = {}): Found<string | number> | undefined {
  return find(item, isKey, ID, names, 'id', 'id', 1)
}
