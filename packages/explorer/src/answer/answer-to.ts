/** Asks the world for the answer to a question that was understood. */
import type { World } from '@worldwright/client'
import { groupsAsked, propertyOf, sortKeyOf } from '@worldwright/extensions/views'
import type { RouteTo } from '../navigation/route.ts'
import { askablesOf } from '../question/askable.ts'
import { valuesAt } from '../question/measures.ts'
import { ask, questionOf } from '../question/question.ts'
import { byFrom, orderOf } from '../question/summary.ts'
import type { WorldProfile } from '../world/world-profile.ts'
import { lookupIn } from './lookup.ts'
import { readQuestion } from './read-question.ts'

/** A question that was understood, with the beginning of its answer. */
export type Answered = NonNullable<Awaited<ReturnType<typeof answerTo>>>

/** Maximum number of entities or groups of an answer. */
const MOST = 5

/** Reads a question and asks for its answer. Returns undefined if the question is not understood, or finds nothing. */
export async function answerTo(
  text: string,
  why: unknown,
  { world, profile }: { readonly world: World; readonly profile: WorldProfile },
  signal: AbortSignal,
) {
  const understood = await readQuestion(text, profile, why, lookupIn(world, signal))
  if (understood === undefined) return undefined
  const { type, asked, isCount } = understood
  const askables = askablesOf(profile, type)
  const by = understood.by === undefined ? undefined : byFrom(understood.by, askables, () => undefined)
  if (understood.by !== undefined && by === undefined) return undefined
  const question = await questionOf(type.type, asked, askables)
  const grouped = by && groupsAsked([by], [], orderOf(undefined, [by], []))
  const limits = { limit: isCount || by ? 0 : MOST, ...(by && { groupLimit: MOST }) }
  const sorted = askables.find(({ key }) => key === sortKeyOf(asked))
  const facets = sorted && { facets: [{ property: propertyOf(sorted.key), kind: sorted.kind, limit: 1 }] }
  const answer = await ask(world, { ...question, ...grouped, ...limits, ...facets }, { signal })
  const { entities, groups, total, partial } = answer
  // A question for what there is not may have been meant otherwise.
  if (total === 0 && !isCount) return undefined
  // The first of a few is not the first of all, most of which have no value.
  if (total !== undefined && (answer.facets[0]?.present ?? total) * 2 < total) return undefined
  const valued = entities.map((one) => ({ ...one, value: sorted && valuesAt(one, sorted.key)[0] }))
  const first = JSON.stringify(valued[0]?.value)
  const plot = understood.by === undefined ? {} : { view: 'summary' as const, plot: { by: [understood.by] } }
  /** The list with these conditions. */
  const route: RouteTo<'list'> = { page: 'list', origin: world.origin, type: type.type, asked, ...plot }
  return {
    type,
    asked,
    route,
    askables,
    by,
    sorted,
    // Without the end of the count, the first entities and the numbers may be wrong.
    entities: partial
      ? []
      : sorted === undefined
        ? valued
        : valued.filter(({ value }) => value != null && JSON.stringify(value) === first),
    groups: partial ? [] : groups,
    total: partial ? undefined : total,
  }
}
