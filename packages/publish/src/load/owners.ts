/** Precedence of each type of a world, from its definition. */
import type { Owner } from '@worldwright/core/store'
import type { WorldDefinition } from '../definition/definition.ts'

/** Returns the precedence of the types for which the definition sets it. */
export function ownersOf({ types }: Pick<WorldDefinition, 'types'>): Record<string, Owner> {
  return Object.fromEntries(types.flatMap(({ type, owner }) => (owner === undefined ? [] : [[type, owner]])))
}
