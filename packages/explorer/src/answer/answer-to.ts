/** Asks the world for the answer to a question that was understood. */
import type { World } from '@worldwright/client'
import { groupsAsked, propertyOf, sortKeyOf } from '@worldwright/extensions/views'
import type { Route } from '../navigation/route.ts'
import { askablesOf } from '../question/askable.ts'
import { valuesAt } from '../question/measures.ts'
import { ask, questionOf } from '../question/question.ts'
import { byFrom, textOfBy } from '../question/summary.ts'
import type { WorldProfile } from '../world/world-profile.ts'
import { lookupIn } from './lookup.ts'
import { readQuestion } from './read-question.ts'

/** A question that was understood, with the beginning of its answer. */
export type Answered = NonNullable<Awaited<ReturnType<typeof answerTo>>>

/** Maximum number of entities of an answer. */
const MOST = 12
/** Maximum number of groups of an answer. */
const MOST_GROUPS = 5
const NONE = { groups: [], groupsTotal: 0, total: undefined, partial: false, facets: [] }

/** Reads a question and asks for its answer. Returns undefined if the question is not understood, or finds nothing. */
export async function answerTo(
  text: string,
  why: unknown,
  { world, profile }: { readonly world: World; readonly profile: WorldProfile },
  signal: AbortSignal,
) {
  const understood = await readQuestion(text, profile, why, lookupIn(world, signal))
  if (understood === undefined) return undefined
  const { type, asked, isCount, fact } = understood
  const askables = askablesOf(profile, type)
  const by = understood.by === undefined ? undefined : byFrom(understood.by, askables, () => undefined)
  if (understood.by !== undefined && by === undefined) return undefined
  const order = understood.isFewest ? 'count' : '-count'
  const sorted = askables.find(({ key }) => key === sortKeyOf(asked))
  const facets = sorted && { facets: [{ property: propertyOf(sorted.key), kind: sorted.kind, limit: 1 }] }
  const grouped = by && { ...groupsAsked([by], [], order), groupLimit: MOST_GROUPS }
  const limit = isCount || by ? 0 : MOST
  const question = { ...(await questionOf(type.type, asked, askables)), ...grouped, limit, ...facets }
  const answer = fact ? { ...NONE, ...fact } : await ask(world, question, { signal })
  const { entities, groups, groupsTotal, total, partial } = answer
  // A question for what there is not may have been meant otherwise.
  if (total === 0 && !isCount) return undefined
  // The first of a few is not the first of all, most of which have no value.
  if (total !== undefined && (answer.facets[0]?.present ?? total) * 2 < total) return undefined
  const given = fact?.given ?? (sorted ? [sorted] : [])
  const valued = entities.map((one) => {
    const values = given.map(({ key }) => valuesAt(one, key))
    return { ...one, values: values.map((some) => (fact && some.length > 1 ? some : some[0])) }
  })
  const first = JSON.stringify(valued[0]?.values)
  const isFirst = ({ values }: (typeof valued)[number]) =>
    sorted === undefined || (values[0] != null && JSON.stringify(values) === first)
  const plot = by && { view: 'summary' as const, plot: { by: [textOfBy(by)], order } }
  const { origin } = world
  const of = entities.flatMap((one) => [one.type, one.id])
  /** The list with these conditions, the entity, or the comparison of both. */
  const list: Route = { page: 'list', origin, type: type.type, asked, ...plot }
  const single: Route = { page: 'entity', origin, type: type.type, id: of[1] ?? '' }
  const route: Route = !fact ? list : of.length > 2 ? { page: 'compare', origin, of } : single
  return {
    type,
    asked,
    route,
    askables,
    by,
    order,
    fields: given.map(({ field }) => field),
    // Without the end of the count, the first entities and the numbers may be wrong.
    entities: partial ? [] : valued.filter(isFirst),
    groups: partial ? [] : groups,
    groupsTotal: partial ? 0 : groupsTotal,
    total: partial ? undefined : total,
  }
}
