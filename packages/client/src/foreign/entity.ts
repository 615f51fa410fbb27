/**
 * Entities under other names, in a wrapper, or without their own type or id.
 */
import { type Entity, type EntityRef, isObject, type JsonObject } from '../protocol.ts'
import { type Found, find, isBranch, isFilled, isKey, isPrefixed, isWords, TITLE, valueAt } from './find.ts'
import { noteInterpretation } from './interpretation.ts'
import type { Names } from './names.ts'

/**
 * An item of a list, or the answer to a request for one entity, in our names. If it has no object of attributes, those
 * are its other members. Without a type or an id of its own it has the one that was asked for, else an empty one.
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
    // Without a name that is known, what is written first is what it goes by; what was asked for is surer.
    id:
      idIn(members, names.id) ?? (askedId ? undefined : find(members, isUnprefixed, /^/, 'id', names.id, 1)),
    title: find(all, isWords, TITLE, 'title', names.title, 1),
    summary: find(all, isWords, /summary|descri/, 'summary', names.summary, 1),
    attributes,
  }
  const { type, id, title, summary } = found
  const used = Object.values(found).map((part) => part?.path)
  const left = Object.fromEntries(Object.entries(members).filter(([name]) => !used.includes(name)))
  // An object of attributes in our name leaves the other members where they are.
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

/** A hit such as `{ rank, entity }`, an answer such as `{ data }` and an array of one have their entity within. */
function unwrapped(item: unknown, levels = 3): unknown {
  if (!levels || !isBranch(item) || idIn(item)) return item
  const values = Object.values(item)
  const inner = values.map((one) => unwrapped(one, levels - 1)).filter(isObject)
  const isTitled = values.some((one) => isFilled(one) && one !== typeIn(item)?.value)
  const found = inner.find((one) => idIn(one) && (isTitled ? typeIn(one) : !typeIn(item) || !typeIn(one)))
  return found ?? (isTitled || inner.length > 1 ? item : (inner[0] ?? item))
}

/** The reference to an entity that an object is: its type, its id, and little more than words about them. */
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
