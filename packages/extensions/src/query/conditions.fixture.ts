/** Two types to query, and shorthands for CQL2-JSON conditions. */
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

/** Type with attributes of every kind. */
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
/** Type with the same attribute names but different kinds. */
export const STAR: EntityTypeDescription = {
  type: 'sol:star',
  schema: { properties: { mass: { type: 'string' }, found: { type: 'string', format: 'date-time' } } },
}

/** Reads a condition on `types`. @throws WorldFault */
export function read(where: JsonValue, types = [MOON]): Condition | undefined {
  const faults = new InputFaults()
  const condition = readWhere(where, '/where', { properties: new KnownProperties(types), faults })
  faults.throwIfAny('worldwright:query')
  return condition
}

/** Returns the fault for a refused condition. Fails if the condition is accepted. */
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

/** Returns the individual faults of a refusal. */
export function faultsOf(fault: WorldFault): FieldFault[] {
  return fault.details['fields'] as unknown as FieldFault[]
}

/** Returns the operand for a property. */
export const p = (property: string | string[]) => ({ property })
/** Returns the expression that applies an operator to its arguments. */
export const call = (op: string, ...args: JsonValue[]): JsonObject => ({ op, args })
/** Reference to an entity of another type. */
export const SATURN = { type: 'sol:planet', id: 'saturn' }
/** Midnight UTC on 1 October 1980, in milliseconds. */
export const DAY = Date.parse('1980-10-01T00:00:00Z')
/** Point in the form of GeoJSON. */
export const POINT = { type: 'Point', coordinates: [10, 20] }
/** Bounding box across the 180th meridian. */
export const BOX = { bbox: [170, -10, -170, 10] }
