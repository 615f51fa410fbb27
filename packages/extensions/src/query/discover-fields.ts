import { DISCOVER_ACTION, type Entity } from '@worldwright/client/protocol'
import type { Action } from '@worldwright/core'
import { InputFaults } from './input-faults.ts'
import { projected } from './projection.ts'
import { FIELDS } from './query-schemas.ts'
import { readField, readPaths } from './read-input.ts'

/**
 * Adds `fields` to `wp:discover`, which keeps only the named attributes. Unlike in a query, a name that no type has is
 * ignored, because one question goes to many worlds.
 */
export function withFields(discover: Action): Action {
  const { inputSchema, ...description } = discover.description
  const properties = { ...(inputSchema?.['properties'] as object), fields: FIELDS }
  return {
    ...discover,
    description: { ...description, inputSchema: { ...inputSchema, properties } },
    async call({ fields = null, ...input }, context) {
      if (fields === null) return discover.call(input, context)
      const faults = new InputFaults()
      const paths = readPaths(fields, '/fields', faults, (item, pointer) => readField(item, pointer, faults))
      faults.throwIfAny(DISCOVER_ACTION)
      const answer = await discover.call(input, context)
      if (answer.job !== undefined) return answer
      const { entities, ...numbers } = JSON.parse(answer.output)
      const shown = entities.map((entity: Entity) => projected(entity, paths))
      return { ...answer, output: JSON.stringify({ entities: shown, ...numbers }) }
    },
  }
}
