/** Referrers to draw in the graph of an entity: some for each combination of type and property. */
import type { EntityRef } from '@worldwright/client'
import type { OpenWorld } from '../parts/world-context.ts'
import { ask } from '../question/question.ts'
import { groupQuestion, referrersIn, referrersQuestion } from '../question/referrers.ts'

/** Maximum number of groups to read, each of one type and property. Each group costs one request. */
const MOST_GROUPS = 10
/** Maximum number of entities read per group. */
const MOST_OF_GROUP = 8

/** The referrers to draw for an entity, and its total number of referrers. */
export type Referring = Readonly<Awaited<ReturnType<typeof incomingOf>>>

/**
 * Reads a few referrers per group, at most `most` in all, from the first `MOST_GROUPS` groups. `total` is the total number
 * of referrers or, if `isLowerBound` is true, a lower bound. Rejects as `ask` does.
 */
export async function incomingOf(
  { world, titles }: OpenWorld,
  to: EntityRef,
  most: number,
  signal: AbortSignal,
) {
  const { groups, isLowerBound } = referrersIn(await ask(world, referrersQuestion(to), { signal }))
  const read = groups.slice(0, Math.min(MOST_GROUPS, most))
  const limit = Math.min(MOST_OF_GROUP, Math.floor(most / Math.max(1, read.length)))
  const shown = await Promise.all(
    read.map(async (group) => {
      const { entities } = await ask(world, groupQuestion(to, group, limit), { signal })
      for (const entity of entities) titles.note(entity)
      return entities
        .slice(0, limit)
        .map(({ type, id }) => ({ from: { type, id } as EntityRef, key: group.key }))
    }),
  )
  return { shown: shown.flat(), total: groups.reduce((sum, { count }) => sum + count, 0), isLowerBound }
}
