/**
 * Entities under other names, in a wrapper, or without a type or id of their own.
 */
import { type Entity, type EntityRef, isObject, type JsonObject } from '../protocol.ts'
import { type Found, find, isBranch, isFilled, isKey, isPrefixed, isWords, TITLE, valueAt } from './find.ts'
import { noteInterpretation } from './interpretation.ts'
import type { Names } from './names.ts'

/**
 * Returns an item of a list, or the answer to a request for one entity, in our names. Without an object of attributes, its
 * other members are the attributes. Without a type or an id of its own it gets the requested one, else an empty one.
 */
export function entityFrom(item: unknown, names: Names, askedType = '', askedId = ''): Entity {
  const body = names.entity === undefined ? unwrapped(item) : valueAt(item, names.entity)
  const members = isObject(body) ? body : { id: body }
  const attributes = find(
    members,
    isObject,
    /^(attr|prop|field|source|data$)/,
    'attributes',
    names.attributes,
    1,
  )
  const all = { ...attributes?.value, ...members }
  const found = {
    type: typeIn(members, names.type) ?? typeIn(item),
    // Without a known name, the first member is the id; a requested id is more certain.
    id:
      idIn(members, names.id) ?? (askedId ? undefined : find(members, isUnprefixed, /^/, 'id', names.id, 1)),
    title: find(all, isWords, TITLE, 'title', names.title, 1),
    summary: find(all, isWords, /summary|descri/, 'summary', names.summary, 1),
    attributes,
  }
  const { type, id, title, summary } = found
  const used = Object.values(found).map((part) => part?.path)
  const left = Object.fromEntries(Object.entries(members).filter(([name]) => !used.includes(name)))
  // If the object of attributes has our name, the other members stay where they are.
  const isBeside = attributes?.certainty === 'ours'
  const entity = {
    ...(isBeside && left),
    type: type?.value ?? askedType,
    id: `${id?.value ?? askedId}`,
    ...(title && { title: title.value }),
    ...(summary && { summary: summary.value }),
    attributes: { ...(!isBeside && left), ...attributes?.value } as JsonObject,
  }
  return noteInterpretation(entity, item, found)
}

/** Unwraps the entity of a hit such as `{ rank, entity }`, an answer such as `{ data }`, or an array of one. */
function unwrapped(item: unknown, levels = 3): unknown {
  if (!levels || !isBranch(item) || idIn(item)) return item
  const values = Object.values(item)
  const inner = values.map((one) => unwrapped(one, levels - 1)).filter(isObject)
  const isTitled = values.some((one) => isFilled(one) && one !== typeIn(item)?.value)
  const found = inner.find((one) => idIn(one) && (isTitled ? typeIn(one) : !typeIn(item) || !typeIn(one)))
  return found ?? (isTitled || inner.length > 1 ? item : (inner[0] ?? item))
}

/** Returns the reference that an object is: a type, an id, and little more than text about them; undefined if it is none. */
export function referenceIn(value: unknown): EntityRef | undefined {
  const type = typeIn(value)?.value
  const id = idIn(value)?.value
  const values = Object.values(Object(value))
  return type && id !== undefined && values.length < 5 && values.every(isFilled)
    ? { type, id: `${id}` }
    : undefined
}

function typeIn(item: unknown, given?: string): Found<string> | undefined {
  return find(item, isPrefixed, /type(name)?$|^kind/, 'type', given, 1)
}

function idIn(item: unknown, given?: string): Found<string | number> | undefined {
  return find(item, isKey, /^((entity)?id|identifier|slug|key|code|ur[in])$/, 'id', given, 1)
}

function isUnprefixed(value: unknown): value is string | number {
  return isKey(value) && !isPrefixed(value)
}
