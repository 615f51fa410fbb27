/** Stored entities in the JSON of an answer. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { StoredEntity } from '../store/contract.ts'

/** Splices entities into a JSON array as stored: parsing and serialising them again would be most of the work. */
export function entitiesJson(entities: readonly StoredEntity[]): string {
  return `[${entities.map((entity) => entity.json).join(',')}]`
}

/** Schema of `matchedIn` in the output of an action: for each entity, JSON Pointers into it. */
export const MATCHED_IN: JsonObject = { type: 'array', items: { type: 'array', items: { type: 'string' } } }

/** Schema of entities in the output of an action. */
export const ENTITIES: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    required: ['type', 'id', 'attributes'],
    properties: { type: { type: 'string' }, id: { type: 'string' }, attributes: { type: 'object' } },
  },
}
