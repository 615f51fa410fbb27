/** Composables that read a world, with TanStack Query 5. `await suspense()` of a result waits for it in an async `setup`. */
import { useQuery as usePlainQuery } from '@tanstack/vue-query'
import type { AnyTypes, QueryInput, World, WorldOptions, WorldTypes } from '@worldwright/client'
import { connect } from '@worldwright/client'
import { computed, type MaybeRefOrGetter, toValue } from 'vue'

/** An entity type of a world. */
type TypeOf<Types extends WorldTypes> = string & keyof Types['entities']

// The client retries failed requests itself.
const retry = false

/** Connects to a world, once: the client rereads the discovery document itself. */
export function useWorld<Types extends WorldTypes = AnyTypes>(origin: string, options?: WorldOptions) {
  return usePlainQuery({
    queryKey: ['world', origin],
    queryFn: ({ signal }) => connect<Types>(origin, { ...options, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry,
    // The client does not accept a deep proxy of a world.
    shallow: true,
  })
}

/** Reads an entity, and another one when `type` or `id` changes. */
export function useEntity<Types extends WorldTypes, T extends TypeOf<Types>>(
  world: World<Types>,
  type: MaybeRefOrGetter<T>,
  id: MaybeRefOrGetter<string>,
) {
  return usePlainQuery(
    computed(() => {
      const [one, name] = [toValue(type), toValue(id)]
      return {
        queryKey: ['world', world.origin, 'entity', one, name],
        queryFn: ({ signal }: { signal: AbortSignal }) => world.get(one, name, { signal }),
        retry,
      }
    }),
  )
}

/** Reads a page of a structured query, and another one when `input` changes. */
export function useQuery<Types extends WorldTypes, T extends TypeOf<Types>>(
  world: World<Types>,
  input: MaybeRefOrGetter<QueryInput<Types, T>>,
) {
  return usePlainQuery(
    computed(() => {
      const asked = toValue(input)
      return {
        queryKey: ['world', world.origin, 'query', asked],
        queryFn: ({ signal }: { signal: AbortSignal }) => world.query(asked, { signal }).page(),
        retry,
      }
    }),
  )
}
