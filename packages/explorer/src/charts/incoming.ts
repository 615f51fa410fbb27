/** Referrers of an entity that a picture shows: some of each type and property. */
import type { EntityRef } from '@worldwright/client'
import type { OpenWorld } from '../parts/world-context.ts'
import { ask } from '../question/question.ts'
import { groupQuestion, referrersIn, referrersQuestion } from '../question/referrers.ts'

/** Maximum groups of type and property that are read: each is a question. */
const MOST_GROUPS = 10
/** Maximum entities read per group. */
const MOST_OF_GROUP = 8

/** The referrers of an entity that are drawn. */
export type Referring = Readonly<Awaited<ReturnType<typeof incomingOf>>>

/**
 * Reads the first referrers of each type and property, at most `most`. `total` also counts those that are not read; it may
 * be a lower bound. Rejects as the action does.
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
