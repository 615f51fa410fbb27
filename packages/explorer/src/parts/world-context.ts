/** Context that contains the open world. */
import { type Signal, signal } from '@preact/signals'
import type { World } from '@worldwright/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { answersQuestions } from '../question/askable.ts'
import { readTitles } from '../question/question.ts'
import { createTitles, type Titles } from '../world/titles.ts'
import type { WorldProfile } from '../world/world-profile.ts'

/** An open world, and data derived from it. */
export interface OpenWorld {
  readonly world: World
  readonly profile: WorldProfile
  readonly titles: Titles
  /** Worlds that answer for the entities of one type, which the page has read whole, by type. */
  readonly reads: Signal<ReadonlyMap<string, OpenWorld>>
  /** Number of entities of one type, and the time at which they were read, if the world answers only for these. */
  readonly read?: { readonly count: number; readonly at: string }
}

/** Returns an open world of which no type has been read. */
export function openWorldOf(world: World, profile: WorldProfile): OpenWorld {
  const together = answersQuestions(profile) ? readTitles(world) : undefined
  return { world, profile, titles: createTitles(world, together), reads: signal(new Map()) }
}

/** Context that provides the open world to the components inside it. */
export const WorldContext = createContext<OpenWorld | undefined>(undefined)

/** Returns the open world. Must be called inside a `WorldContext.Provider`. */
export function useOpenWorld(): OpenWorld {
  const open = useContext(WorldContext)
  if (open === undefined) throw new Error('No world is open here')
  return open
}
