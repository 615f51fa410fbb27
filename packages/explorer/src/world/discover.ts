/** Searches of any world: one that refuses our limit is asked again without one. */
import { type DiscoverInput, type DiscoverOutput, isWorldError, type World } from '@worldwright/client'

/** Statuses that say that what was asked for cannot be. */
const REFUSED = [400, 422]

/** As `world.discover`. What it fails with is the world's answer to the request without a limit. */
export async function discover(
  world: Pick<World, 'discover'>,
  { limit, ...question }: DiscoverInput,
  signal: AbortSignal,
): Promise<DiscoverOutput> {
  try {
    return await world.discover({ ...question, ...(limit !== undefined && { limit }) }, { signal })
  } catch (error) {
    if (limit === undefined || !isWorldError(error) || !REFUSED.includes(error.status)) throw error
    return world.discover(question, { signal })
  }
}
