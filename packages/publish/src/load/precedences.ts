import type { Precedence } from '@worldwright/core/store'
import type { WorldDefinition } from '../definition/definition.ts'

/** Returns the precedence of each type for which the definition sets one. */
export function precedencesOf({ types }: Pick<WorldDefinition, 'types'>): Record<string, Precedence> {
  return Object.fromEntries(types.flatMap(({ type, precedence }) => (precedence ? [[type, precedence]] : [])))
}
