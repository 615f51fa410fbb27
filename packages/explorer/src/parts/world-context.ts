/** Context that contains the open world. */
import type { World } from '@worldwright/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Titles } from '../world/titles.ts'
import type { WorldProfile } from '../world/world-profile.ts'

/** An open world, and data derived from it. */
export interface OpenWorld {
  readonly world: World
  readonly profile: WorldProfile
  readonly titles: Titles
}

/** Context that provides the open world to the components inside it. */
export const WorldContext = createContext<OpenWorld | undefined>(undefined)

/** Returns the open world. Must be called inside a `WorldContext.Provider`. */
export function useOpenWorld(): OpenWorld {
  const open = useContext(WorldContext)
  if (open === undefined) throw new Error('No world is open here')
  return open
}
