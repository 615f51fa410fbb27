/** Precedence of each type of a world, from its definition. */
import type { Precedence } from '@worldwright/core/store'
import type { WorldDefinition } from '../definition/definition.ts'

/** Returns the precedence of the types for which the definition sets it. */
export function precedencesOf({ types }: Pick<WorldDefinition, 'types'>): Record<string, Precedence> {
  return Object.fromEntries(types.flatMap(({ type, precedence }) => (precedence ? [[type, precedence]] : [])))
}
