/** Searches any world: retries without a limit if the world refuses it, and follows cursors. */
import { type DiscoverInput, type DiscoverOutput, isWorldError, type World } from '@worldwright/client'

/** Statuses that say that the request cannot be fulfilled. */
const REFUSED = [400, 422]

/** As `world.discover`. Fails with the world's answer to the request without a limit. */
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

/** Maximum hits per request: as many as most worlds give. */
const AT_ONCE = 100

/**
 * As `discover`, until there are `limit` hits: page by page, if the world gives cursors. The rest of the answer is that
 * of the first page; it has a `nextCursor` if there are more hits.
 */
export async function discoverPages(
  world: Pick<World, 'discover'>,
  { limit, ...question }: DiscoverInput & { limit: number },
  signal: AbortSignal,
): Promise<DiscoverOutput> {
  const { nextCursor, ...first } = await discover(
    world,
    { ...question, limit: Math.min(limit, AT_ONCE) },
    signal,
  )
  const entities = [...first.entities]
  const matchedIn = first.matchedIn && [...first.matchedIn]
  let cursor: unknown = nextCursor
  while (typeof cursor === 'string' && cursor !== '' && entities.length < limit) {
    const rest = Math.min(AT_ONCE, limit - entities.length)
    const page = await discover(world, { ...question, cursor, limit: rest }, signal)
    entities.push(...page.entities)
    matchedIn?.push(...(page.matchedIn ?? []))
    cursor = page.entities.length > 0 ? page.nextCursor : undefined
  }
  return {
    ...first,
    entities,
    ...(matchedIn && { matchedIn }),
    ...(typeof cursor === 'string' && cursor !== '' && { nextCursor: cursor }),
  }
}
