/** A single fault, and the rule of Level 1 that it breaks. */
import type { Proof } from '../breakages.ts'
import type { RightWorld } from '../right-worlds.ts'

/** Name of the fault, the rule it breaks, and a function that plants it in a world. */
export type Fault = readonly [name: string, rule: string, plant: (world: RightWorld) => Proof]
