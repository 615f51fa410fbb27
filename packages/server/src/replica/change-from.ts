import { WorldError } from '@worldwright/client'
import { isObject, type JsonValue } from '@worldwright/client/protocol'
import type { FollowedChange } from '../storage/contract.ts'

/** A change as a store takes it, of one as it came over the wire. @throws WorldError `invalid_response` */
export function changeFrom(change: JsonValue, url: string): FollowedChange {
  const { op, type, id, position, revision, entity } = isObject(change) ? change : {}
  if (typeof type === 'string' && typeof id === 'string' && typeof position === 'string') {
    if (op === 'delete') return { type, id, position }
    const isPut = op === 'put' && typeof revision === 'string' && isObject(entity)
    // Members in the order in which they came: the text is the same as the owner's.
    if (isPut && entity['type'] === type && entity['id'] === id)
      return { type, id, position, entity: { type, id, revision, json: JSON.stringify(entity) } }
  }
  throw new WorldError('invalid_response', 'A change is not as changes are.', { url })
}
