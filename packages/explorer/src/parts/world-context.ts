/** The world that the pages below are about. */
import type { World } from '@worldwright/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Titles } from '../world/titles.ts'
import type { WorldProfile } from '../world/world-profile.ts'

/** An open world with the data that the page derived from it. */
export interface OpenWorld {
  readonly world: World
  readonly profile: WorldProfile
  readonly titles: Titles
}

/** Provides the open world to all parts below. */
export const WorldContext = createContext<OpenWorld | undefined>(undefined)

/** The open world; only below a `WorldContext.Provider`. */
export function useOpenWorld(): OpenWorld {
  const open = useContext(WorldContext)
  if (open === undefined) throw new Error('No world is open here')
  return open
}
