/**
 * Entities under other names, in a wrapper, or without their own type or id.
 */
import type { Entity, JsonObject } from '../protocol.ts'
import { isObject } from '../protocol.ts'
import { type Found, find, isBranch, isFilled, isKey, isPrefixed, valueAt } from './find.ts'
import type { Names } from './names.ts'
import { noteReading } from './reading.ts'

const ID = /^(id|identifier|slug|key|code|u?uid|ur[in])$/

/**
 * An item of a list, or the answer to a request for one entity, in our names. Where it has no object of attributes, those
 * are its other members. Without a type or an id of its own it has the one that was asked for, else an empty one.
 */
export function entityFrom(item: unknown, names: Names, askedType = '', askedId = ''): Entity {
  const body = names.entity === undefined ? unwrapped(item) : valueAt(item, names.entity)
  const members = isObject(body) ? body : { id: body }
  const attributes = find(members, isObject, /^(attr|prop|field|data$)/, 'attributes', names.attributes, 1)
  const all = { ...attributes?.value, ...members }
  const found = {
    type: typeIn(members, names.type),
    id: idIn(members, names.id),
    title: find(all, isFilled, /title|label|name$/, 'title', names.title, 1),
    summary: find(all, isFilled, /summary|abstract|descri/, 'summary', names.summary, 1),
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
  return noteReading(entity, item, found)
}

/** A hit such as `{ rank, entity }`, an answer such as `{ data }` and an array of one have their entity within. */
function unwrapped(item: unknown, levels = 3): unknown {
  if (!levels || !isBranch(item) || typeIn(item) || idIn(item)) return item
  const values = Object.values(item)
  const inner = values.map((one) => unwrapped(one, levels - 1)).filter(isObject)
  const isTitled = values.some(isFilled)
  return (
    inner.find((one) => idIn(one) && (!isTitled || typeIn(one))) ??
    (isTitled || inner.length > 1 ? item : (inner[0] ?? item))
  )
}

function typeIn(item: unknown, given?: string): Found<string> | undefined {
  return find(item, isPrefixed, /type$|^kind/, 'type', given, 1)
}

function idIn(item: unknown, given?: string): Found<string | number> | undefined {
  return find(item, isKey, ID, 'id', given, 1)
}
