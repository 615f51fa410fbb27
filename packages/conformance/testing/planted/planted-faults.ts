/** All planted faults: the measure of what the Level 1 profile notices. */
import { type CheckResult, checkServer } from '../../src/index.ts'
import { ORIGIN, wireTo } from '../in-process.ts'
import type { Breakage } from '../reference-world.ts'
import { RIGHT_WORLDS, type RightWorld } from '../right-worlds.ts'
import { discoverFaults } from './discover.ts'
import { discoveryFaults } from './discovery.ts'
import { entityFaults, pathFaults } from './entities.ts'
import { errorFaults } from './errors.ts'
import type { Fault } from './fault.ts'
import type { Tell } from './free-worlds.ts'
import { listFaults } from './lists.ts'
import { walkFaults } from './walks.ts'

/** Single faults, ordered as the specification is. */
export const PLANTED: readonly Fault[] = [
  ...discoveryFaults,
  ...listFaults,
  ...walkFaults,
  ...entityFaults,
  ...pathFaults,
  ...discoverFaults,
  ...errorFaults,
]

const plain = new Map(RIGHT_WORLDS.map((world) => [world, levelOne(world.tell, world.options)]))

/** Runs the Level 1 profile in a world without a port. */
export function levelOne(tell: Tell, options: RightWorld['options'] = {}): Promise<CheckResult[]> {
  return Array.fromAsync(checkServer(ORIGIN, { ...options, profile: 'level-1', wire: wireTo(tell) }))
}

/** Returns the worst outcome that a fault adds to those of the world without it. */
export async function noticed([, , plant]: Fault, world: RightWorld): Promise<'fail' | 'warning' | 'pass'> {
  const usual = (await plain.get(world)) ?? []
  const breakage: Breakage = plant(world).broken
  const results = await levelOne((asked) => {
    breakage.asked?.(asked)
    const told = world.tell(asked)
    breakage.told?.(told, asked)
    return told
  }, world.options)
  const more = (outcome: string) =>
    results.some(
      (one) => one.outcome === outcome && usual.find(({ id }) => id === one.id)?.outcome !== outcome,
    )
  return more('fail') ? 'fail' : more('warning') ? 'warning' : 'pass'
}
