/** Questions about the entities that refer to an entity: counts by type and property, and the first such entities. */
import type { EntityRef } from '@worldwright/client'
import { keyOf, propertyOf } from '@worldwright/extensions/views'
import type { Answer } from './question.ts'

/** Entities of one type that refer to an entity by the same property, and how many there are. */
export interface ReferrerGroup {
  readonly type: string
  readonly key: string
  readonly count: number
}

/** Returns the question that counts the referrers of an entity. */
export function referrersQuestion({ type, id }: EntityRef) {
  return { facets: [{ referrers: { type, id }, limit: 50 }], limit: 0 }
}

/** Returns the groups in the answer to `referrersQuestion`. `isLowerBound` is true if there may be further referrers. */
export function referrersIn({ facets: [facet] }: Answer) {
  const groups = (facet?.buckets ?? []).flatMap(({ type, property, count }): ReferrerGroup[] => {
    const key = keyOf(property)
    return type === undefined || key === undefined ? [] : [{ type, key, count }]
  })
  return { groups, isLowerBound: facet?.more === true || facet?.partial === true }
}

/** Returns the question that lists the first entities of a group. */
export function groupQuestion({ type, id }: EntityRef, group: ReferrerGroup, limit: number) {
  const where = { op: '=', args: [{ property: propertyOf(group.key) }, { type, id }] }
  return { types: [group.type], where, limit }
}
