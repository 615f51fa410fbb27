/**
 * Interprets entities with other member names, in a wrapper, or without a type or id of their own.
 */
import type { Entity, EntityRef, JsonObject } from '../protocol.ts'
import {
  type Found,
  find,
  isBranch,
  isFilled,
  isKey,
  isObject,
  isPrefixed,
  isWords,
  TITLE,
  valueAt,
} from './find.ts'
import { noteInterpretation } from './interpretation.ts'
import type { Names } from './names.ts'

/**
 * Converts a list item, or the response to a request for one entity, to our names. If there is no attributes object, the
 * remaining members become the attributes. A missing type or id is taken from the request, else it is an empty string.
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
    // If no member has a known name, the first one is the id. A requested id is more certain and takes precedence.
    id:
      idIn(members, names.id) ?? (askedId ? undefined : find(members, isUnprefixed, /^/, 'id', names.id, 1)),
    title: find(all, isWords, TITLE, 'title', names.title, 1),
    summary: find(all, isWords, /summary|descri/, 'summary', names.summary, 1),
    attributes,
  }
  const { type, id, title, summary } = found
  const used = Object.values(found).map((part) => part?.path)
  const left = Object.fromEntries(Object.entries(members).filter(([name]) => !used.includes(name)))
  // If the attributes object has our name, other members stay beside it and do not become attributes.
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

/** Returns the entity inside a hit such as `{ rank, entity }`, a response such as `{ data }`, or an array of one element. */
function unwrapped(item: unknown, levels = 3): unknown {
  if (!levels || !isBranch(item) || idIn(item)) return item
  const values = Object.values(item)
  const inner = values.map((one) => unwrapped(one, levels - 1)).filter(isObject)
  const isTitled = values.some((one) => isFilled(one) && one !== typeIn(item)?.value)
  const found = inner.find((one) => idIn(one) && (isTitled ? typeIn(one) : !typeIn(item) || !typeIn(one)))
  return found ?? (isTitled || inner.length > 1 ? item : (inner[0] ?? item))
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

function typeIn(item: unknown, given?: string): Found<string> | undefined {
  return find(item, isPrefixed, /type(name)?$|^kind/, 'type', given, 1)
}

function idIn(item: unknown, given?: string): Found<string | number> | undefined {
  return find(item, isKey, /^((entity)?id|identifier|slug|key|code|ur[in])$/, 'id', given, 1)
}

function isUnprefixed(value: unknown): value is string | number {
  return isKey(value) && !isPrefixed(value)
}
