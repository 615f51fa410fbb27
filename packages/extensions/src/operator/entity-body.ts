/** From the body of a write to an entity that may be stored. */
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

/** The entity, or all that is wrong with it; pointers are into the body. */
export type ReadEntity = { readonly entity: Entity } | { readonly faults: readonly RecordFault[] }

/**
 * The entity of this type and id that a value describes: `title`, `summary` and `attributes`. `type` and `id` may be
 * repeated in it, the store's own members are left out, and the type's schema has to hold.
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

/** 422 with a pointer for each fault. */
export function invalidEntity(faults: readonly RecordFault[]): WorldFault {
  const [first] = faults
  const where = first?.pointer ? `${first.pointer} ` : ''
  return fieldsFault(
    'invalid_entity',
    `This is not a valid entity of its type: ${where}${first?.message}.`,
    bodyFaults(faults),
  )
}

/** Faults of a record as those of a request's body. */
function bodyFaults(faults: readonly RecordFault[]): FieldFault[] {
  return faults.map(({ pointer, reason }) => ({ in: 'body', pointer, reason }))
}

function sameName(value: JsonObject, member: 'type' | 'id', expected: string): RecordFault[] {
  if (!Object.hasOwn(value, member) || value[member] === expected) return []
  return [{ pointer: `/${member}`, reason: 'not_allowed', message: `is not the ${member} in the path` }]
}
