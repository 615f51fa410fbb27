/** Serialisation of stored entities in response bodies. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { StoredEntity } from '../store/contract.ts'

/** Concatenates stored entities into a JSON array. Does not parse them, because parsing would dominate the cost. */
export function entitiesJson(entities: readonly StoredEntity[]): string {
  return `[${entities.map((entity) => entity.json).join(',')}]`
}

/** Schema of `matchedIn` in an action's output: an array of JSON Pointers for each entity. */
export const MATCHED_IN: JsonObject = { type: 'array', items: { type: 'array', items: { type: 'string' } } }

/** Schema of `entities` in an action's output. */
export const ENTITIES: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    required: ['type', 'id', 'attributes'],
    properties: { type: { type: 'string' }, id: { type: 'string' }, attributes: { type: 'object' } },
  },
}
