/** Checks the consistency of a stored entity: its type, id, revision and JSON must agree. */
import { type Entity, idFault, isObject, type JsonValue, typeFault } from '@worldwright/client/protocol'
import type { StoredEntity } from '@worldwright/core/store'
import { type PreparedEntity, prepare, storedFrom, timestampOf } from '@worldwright/core/store'

/** Parses the JSON of an entity. Returns undefined if it is invalid or not an entity. */
export function entityIn(json: string): Entity | undefined {
  let value: JsonValue
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  const { type, id, title = '', summary = '', attributes } = value
  const areText = [type, id, title, summary].every((member) => typeof member === 'string')
  return areText && isObject(attributes) ? (value as unknown as Entity) : undefined
}

/** Describes the fault in a stored entity, as a phrase to append to its key. Returns undefined if there is no fault. */
export function entityProblem(
  { type, id, revision, json }: StoredEntity,
  entity: Entity | undefined = entityIn(json),
): string | undefined {
  if (entity === undefined) return 'is stored as something that is no entity'
  if (entity.type !== type || entity.id !== id) return 'is stored under another name than its own'
  if (typeFault(type) !== undefined || idFault(id) !== undefined) return 'has a name that cannot be served'
  const prepared = preparedFrom(entity)
  if (entity.revision !== revision || prepared?.revision !== revision) return 'is not what its revision says'
  const { createdAt, updatedAt } = entity
  if (isTimestamp(createdAt) && isTimestamp(updatedAt)) {
    if (storedFrom(prepared, createdAt, updatedAt).json === json) return undefined
  }
  return 'is stored otherwise than it was written'
}

/** Prepares an entity. Returns undefined if it has no canonical form because a number is out of range. */
function preparedFrom(entity: Entity): PreparedEntity | undefined {
  try {
    return prepare(entity)
  } catch {
    return undefined
  }
}

function isTimestamp(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const moment = new Date(value)
  return !Number.isNaN(moment.getTime()) && timestampOf(moment) === value
}
