/** Who decides about each type of a world, as its definition says. */
import type { Owner } from '@worldwright/core/store'
import type { WorldDefinition } from '../definition/definition.ts'

/** The owners of the types for which the definition names one. */
export function ownersOf({ types }: Pick<WorldDefinition, 'types'>): Record<string, Owner> {
  return Object.fromEntries(types.flatMap(({ type, owner }) => (owner === undefined ? [] : [[type, owner]])))
}
