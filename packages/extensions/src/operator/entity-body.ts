/** Converts the body of a write to an entity that may be stored. */
import {
  type Entity,
  type FieldFault,
  isObject,
  type JsonObject,
  type JsonValue,
} from '@worldwright/client/protocol'
import { fieldsFault, type WorldFault } from '@worldwright/core'
import type { RecordFault } from '@worldwright/entities'
import { entityFromRecord } from '@worldwright/entities'
import type { TypeCheck } from '@worldwright/entities/types'

/** The entity, or all its faults; pointers are into the body. */
export type ReadEntity = { readonly entity: Entity } | { readonly faults: readonly RecordFault[] }

/**
 * Reads the entity of this type and id from a value: `title`, `summary` and `attributes`. The value may repeat `type` and
 * `id`. Members that the store sets are ignored, and the attributes must satisfy the type's schema.
 */
export function entityFromBody(
  value: JsonValue,
  type: string,
  id: string | undefined,
  check: TypeCheck,
): ReadEntity {
  if (!isObject(value))
    return { faults: [{ pointer: '', reason: 'wrong_type', message: 'an entity is an object' }] }
  const faults = [...sameName(value, 'type', type), ...(id === undefined ? [] : sameName(value, 'id', id))]
  if (!Object.hasOwn(value, 'attributes'))
    faults.push({ pointer: '/attributes', reason: 'required', message: 'is missing' })
  const read = entityFromRecord({ attributes: {}, ...value, type, ...(id !== undefined && { id }) }, {})
  if ('faults' in read) return { faults: [...faults, ...read.faults] }
  const verdict = check(type, read.entity.attributes)
  faults.push(...verdict.faults.map((fault) => ({ ...fault, pointer: `/attributes${fault.pointer}` })))
  return faults.length > 0 ? { faults } : { entity: read.entity }
}

/** Returns a 422 with a pointer for each fault. */
export function invalidEntity(faults: readonly RecordFault[]): WorldFault {
  const [first] = faults
  const where = first?.pointer ? `${first.pointer} ` : ''
  return fieldsFault(
    'invalid_entity',
    `This is not a valid entity of its type: ${where}${first?.message}.`,
    bodyFaults(faults),
  )
}

/** Converts faults of a record to faults of a request's body. */
function bodyFaults(faults: readonly RecordFault[]): FieldFault[] {
  return faults.map(({ pointer, reason }) => ({ in: 'body', pointer, reason }))
}

function sameName(value: JsonObject, member: 'type' | 'id', expected: string): RecordFault[] {
  if (!Object.hasOwn(value, member) || value[member] === expected) return []
  return [{ pointer: `/${member}`, reason: 'not_allowed', message: `is not the ${member} in the path` }]
}
