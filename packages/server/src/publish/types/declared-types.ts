/** What a definition says of its types by itself, whatever the data hold. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { WorldDefinition } from '../definition/definition.ts'
import { titleFromType } from './derive-types.ts'
import { servedType } from './served-type.ts'

/** The types that a definition describes, and those it names for its sources, ascending: nothing learned from data. */
export function declaredTypes(definition: WorldDefinition): EntityTypeDescription[] {
  const described = new Map(definition.types.map((type) => [type.type, servedType(type)]))
  const named = definition.sources.flatMap(({ type }) => (type === undefined ? [] : [type]))
  return [...new Set([...described.keys(), ...named])].sort().map((type) => ({
    type,
    title: titleFromType(type),
    schema: { type: 'object' },
    ...described.get(type),
  }))
}
