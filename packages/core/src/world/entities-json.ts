/** Entities as they were stored, in an answer. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { StoredEntity } from '../store/contract.ts'

/** A JSON array of them, spliced: parsing them only to write them again would be most of the work. */
export function entitiesJson(entities: readonly StoredEntity[]): string {
  return `[${entities.map((entity) => entity.json).join(',')}]`
}

/** The schema of `matchedIn` in the output of an action: of each entity JSON Pointers into it. */
export const MATCHED_IN: JsonObject = { type: 'array', items: { type: 'array', items: { type: 'string' } } }

/** The schema of entities in the output of an action. */
export const ENTITIES: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    required: ['type', 'id', 'attributes'],
    properties: { type: { type: 'string' }, id: { type: 'string' }, attributes: { type: 'object' } },
  },
}
