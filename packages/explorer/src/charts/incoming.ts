/** What refers to an entity, as far as a picture shows it: some of each type and property. */
import type { EntityRef, World } from '@worldwright/client'
import { keyOf, propertyOf } from '../question/askable.ts'
import { ask, referrersOf } from '../question/question.ts'
import type { Titles } from '../world/titles.ts'

/** Types and properties of which entities are read: each is a question. */
const MOST_GROUPS = 10
/** Entities of one of them at most. */
const MOST_OF_GROUP = 8

/** One reference to the entity: from where, and the key of the property. */
export interface Incoming {
  readonly from: EntityRef
  readonly key: string
}

/** What refers to an entity. */
export interface Referring {
  readonly shown: readonly Incoming[]
  /** How many references there are, shown or not. */
  readonly total: number
  /** The world ended counting, or has more types and properties than it named: `total` is a lower bound. */
  readonly isLowerBound: boolean
}

/** Reads the first of each type and property that refers to an entity, at most `most`; rejects as the action does. */
export async function incomingOf(
  { world, titles }: { world: World; titles: Titles },
  to: EntityRef,
  most: number,
  signal: AbortSignal,
): Promise<Referring> {
  const facet = await referrersOf(world, to, signal)
  const groups = (facet?.buckets ?? []).flatMap(({ type, property, count }) => {
    const key = keyOf(property)
    return type === undefined || key === undefined ? [] : [{ type, key, count }]
  })
  const read = groups.slice(0, Math.min(MOST_GROUPS, most))
  const limit = Math.min(MOST_OF_GROUP, Math.floor(most / Math.max(1, read.length)))
  const shown = await Promise.all(
    read.map(async ({ type, key }) => {
      const where = { op: '=', args: [{ property: propertyOf(key) }, { type: to.type, id: to.id }] }
      const { entities } = await ask(world, { types: [type], where, limit }, { signal })
      for (const entity of entities) titles.note(entity)
      return entities.slice(0, limit).map(({ type, id }): Incoming => ({ from: { type, id }, key }))
    }),
  )
  return {
    shown: shown.flat(),
    total: groups.reduce((sum, { count }) => sum + count, 0),
    isLowerBound: facet?.more === true || facet?.partial === true,
  }
}
