/** Reads counts of the whole list of a chart. */
import type { JsonObject } from '@worldwright/client'
import { type Remote, type RemoteOptions, useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { type Asks, asking } from '../question/question.ts'
import type { ChartProps } from './chart-props.ts'

/** Calls `read` with a function that asks about the list, whenever the list, `depends` or `where` changes. */
export function useCounted<T>(
  { type, asked, question }: ChartProps,
  options: RemoteOptions<T> & {
    /** If undefined, or if the world does not support queries, nothing is read. */
    depends: readonly unknown[] | undefined
    /** Further conditions on the entities. */
    where?: readonly JsonObject[]
  },
  read: (ask: Asks) => Promise<T>,
): Remote<T> {
  const { world } = useOpenWorld()
  const { depends, where = [] } = options
  const { sort: _, ...counted } = asked
  return useRemote(
    depends && question && JSON.stringify([world.origin, type, counted, depends, where]),
    async (signal) => read(asking(world, (await question?.()) ?? {}, where, signal)),
    options,
  )
}
