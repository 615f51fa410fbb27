/** Searches any world. Retries without a limit if the world rejects the limit, and follows cursors. */
import { type DiscoverInput, type DiscoverOutput, isWorldError, type World } from '@worldwright/client'

/** Status codes with which a world rejects a request as invalid. */
const REFUSED = [400, 422]

/** Like `world.discover`, but retries without `limit` if the world rejects the request as invalid. */
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

/** Maximum number of results per request, which is also the maximum in most worlds. */
const AT_ONCE = 100

/**
 * Like `discover`, but follows cursors until there are `limit` results. The other members are those of the first page,
 * except that `nextCursor` is present only if there are further results.
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
