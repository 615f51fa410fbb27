/** What refers to an entity, as far as a picture shows it: some of each type and property. */
import type { EntityRef } from '@worldwright/client'
import type { OpenWorld } from '../parts/world-context.ts'
import { ask } from '../question/question.ts'
import { groupQuestion, referrersIn, referrersQuestion } from '../question/referrers.ts'

/** Types and properties of which entities are read: each is a question. */
const MOST_GROUPS = 10
/** Entities of one of them at most. */
const MOST_OF_GROUP = 8

/** Referrers of an entity, as far as they are drawn. */
export type Referring = Readonly<Awaited<ReturnType<typeof incomingOf>>>

/**
 * Reads the first of each type and property that refers to an entity, at most `most`. `total` counts what is not read as
 * well; it may be a lower bound. Rejects as the action does.
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
