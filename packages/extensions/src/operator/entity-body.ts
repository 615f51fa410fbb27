/** Converts the body of a write to an entity. */
import { type Entity, isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { fieldsFault, type WorldFault } from '@worldwright/core'
import { entityFromRecord, type RecordFault } from '@worldwright/entities'
import type { TypeCheck } from '@worldwright/entities/types'

/** Entity read from a body, or all faults of the body, each with a pointer into the body. */
export type ReadEntity = { readonly entity: Entity } | { readonly faults: readonly RecordFault[] }

/**
 * Reads an entity of the given type from an object with `title`, `summary` and `attributes`. The object may repeat `type`
 * and `id`. Members that the store sets are ignored. The attributes must satisfy the type's schema.
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

/** Returns a 422 error with a pointer for each fault. */
export function invalidEntity(faults: readonly RecordFault[]): WorldFault {
  const [first] = faults
  const where = first?.pointer ? `${first.pointer} ` : ''
  return fieldsFault(
    'invalid_entity',
    `This is not a valid entity of its type: ${where}${first?.message}.`,
    faults.map(({ pointer, reason, message }) => ({ in: 'body', pointer, reason, message })),
  )
}

function sameName(value: JsonObject, member: 'type' | 'id', expected: string): RecordFault[] {
  if (!Object.hasOwn(value, member) || value[member] === expected) return []
  return [{ pointer: `/${member}`, reason: 'not_allowed', message: `is not the ${member} in the path` }]
}
