/** Hooks that read a world, with TanStack Query 5. They suspend while they load, and throw errors to the error boundary. */
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { AnyTypes, QueryInput, World, WorldOptions, WorldTypes } from '@worldwright/client'
import { connect } from '@worldwright/client'

/** An entity type of a world. */
type TypeOf<Types extends WorldTypes> = string & keyof Types['entities']

// The client retries failed requests itself.
const retry = false

/** Returns the options for connecting to a world, once: the client rereads the discovery document itself. */
export function worldOptions<Types extends WorldTypes = AnyTypes>(origin: string, options?: WorldOptions) {
  return queryOptions({
    queryKey: ['world', origin],
    queryFn: ({ signal }) => connect<Types>(origin, { ...options, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry,
  })
}

/** Returns the options for reading an entity. */
export function entityOptions<Types extends WorldTypes, T extends TypeOf<Types>>(
  world: World<Types>,
  type: T,
  id: string,
) {
  return queryOptions({
    queryKey: ['world', world.origin, 'entity', type, id],
    queryFn: ({ signal }) => world.get(type, id, { signal }),
    retry,
  })
}

/** Returns the options for reading a page of a structured query. */
export function pageOptions<Types extends WorldTypes, T extends TypeOf<Types>>(
  world: World<Types>,
  input: QueryInput<Types, T>,
) {
  return queryOptions({
    queryKey: ['world', world.origin, 'query', input],
    queryFn: ({ signal }) => world.query(input, { signal }).page(),
    retry,
  })
}

/** Returns the connected world at an origin. */
export function useWorld<Types extends WorldTypes = AnyTypes>(origin: string, options?: WorldOptions) {
  return useSuspenseQuery(worldOptions<Types>(origin, options)).data
}

/** Returns an entity of a world, as received. */
export function useEntity<Types extends WorldTypes, T extends TypeOf<Types>>(
  world: World<Types>,
  type: T,
  id: string,
) {
  return useSuspenseQuery(entityOptions(world, type, id)).data
}

/** Returns a page of a structured query, with its totals and facets. */
export function useQuery<Types extends WorldTypes, T extends TypeOf<Types>>(
  world: World<Types>,
  input: QueryInput<Types, T>,
) {
  return useSuspenseQuery(pageOptions(world, input)).data
}
