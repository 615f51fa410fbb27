/** Queries of TanStack Query that stay current: `useQuery(liveOptions(useQueryClient(), world, input))`. */
import { hashKey, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { QueryInput, World, WorldTypes } from '@worldwright/client'

/**
 * Returns the options of a query whose answer stays current while a component uses it. The answer is loaded again when the
 * next component uses it, or after following it has failed.
 */
export function liveOptions<Types extends WorldTypes, T extends string & keyof Types['entities']>(
  client: QueryClient,
  world: World<Types>,
  input: QueryInput<Types, T>,
) {
  const queryKey = ['world', world.origin, 'live', input]
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const live = await world.live(input, { signal })
      const end = client.getQueryCache().subscribe(({ type, query }) => {
        const isLeft = (type === 'observerRemoved' && !query.isActive()) || type === 'removed'
        if (isLeft && query.queryHash === hashKey(queryKey)) live.close()
      })
      live.subscribe(({ current, status }) => {
        if (status === 'live' || status === 'retrying') return void client.setQueryData(queryKey, current)
        end()
        client.invalidateQueries({ queryKey })
      })
      return live.current
    },
    staleTime: Number.POSITIVE_INFINITY,
    // The client retries failed requests itself.
    retry: false,
  })
}
