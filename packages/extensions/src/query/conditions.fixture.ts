/** Two types to query, and shorthands for conditions in CQL2's JSON form. */
import assert from 'node:assert/strict'
import type { EntityTypeDescription, FieldFault, JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { Condition } from '../../../core/src/store/contract.ts'
import { WorldFault } from '../../../core/src/world/errors.ts'
import { InputFaults } from './input-faults.ts'
import { KnownProperties } from './known-properties.ts'
import { readWhere } from './read-where.ts'

const REFERENCE = {
  type: 'object',
  properties: { type: { const: 'sol:planet' }, id: { type: 'string' } },
}

/** A type with attributes of every kind. */
export const MOON: EntityTypeDescription = {
  type: 'sol:moon',
  schema: {
    type: 'object',
    properties: {
      mass: { type: 'number' },
      count: { type: 'integer' },
      name: { type: 'string' },
      'odd.name': { type: 'string' },
      title: { type: 'string' },
      hasRings: { type: 'boolean' },
      found: { type: 'string', format: 'date' },
      seen: { type: 'string', format: 'date-time' },
      kind: { enum: ['regular', 'irregular'] },
      tags: { type: 'array', items: { type: 'string' } },
      orbits: { $ref: '#/$defs/planet' },
      place: { type: 'object', properties: { latitude: { type: 'number' }, longitude: { type: 'number' } } },
      orbit: { type: 'object', properties: { days: { type: 'number' } } },
      secret: { type: 'string', 'x-index': false },
    },
    $defs: { planet: REFERENCE },
  },
}
/** A type whose attributes have other kinds under the same names. */
export const STAR: EntityTypeDescription = {
  type: 'sol:star',
  schema: { properties: { mass: { type: 'string' }, found: { type: 'string', format: 'date-time' } } },
}

/** Reads a condition over these types. @throws WorldFault */
export function read(where: JsonValue, types = [MOON]): Condition | undefined {
  const faults = new InputFaults()
  const condition = readWhere(where, '/where', { properties: new KnownProperties(types), faults })
  faults.throwIfAny('worldwright:query')
  return condition
}

/** Returns the fault that a condition is refused with; fails if it is accepted. */
export function refusal(where: JsonValue, types = [MOON]): WorldFault {
  try {
    read(where, types)
  } catch (error) {
    assert.ok(error instanceof WorldFault)
    assert.equal(error.code, 'invalid_input')
    return error
  }
  return assert.fail(`${JSON.stringify(where)} was read`)
}

/** Returns the single faults that a refusal names. */
export function faultsOf(fault: WorldFault): FieldFault[] {
  return fault.details['fields'] as unknown as FieldFault[]
}

/** Returns a property as an operand of a condition. */
export const p = (property: string | string[]) => ({ property })
/** Returns a call of an operator with its arguments. */
export const call = (op: string, ...args: JsonValue[]): JsonObject => ({ op, args })
/** A reference to an entity of another type. */
export const SATURN = { type: 'sol:planet', id: 'saturn' }
/** The first moment of 1 October 1980, in milliseconds. */
export const DAY = Date.parse('1980-10-01T00:00:00Z')
/** A point in its GeoJSON form. */
export const POINT = { type: 'Point', coordinates: [10, 20] }
/** A box across the 180th meridian. */
export const BOX = { bbox: [170, -10, -170, 10] }
