/** Counts the values of a measure by bin, on the server for the whole list or locally for the loaded entities. */

import type { Entity } from '@worldwright/client'
import { timeOf } from '@worldwright/extensions/shown'
import { type Filter, propertyOf } from '@worldwright/extensions/views'
import { boundValue, type Measure, positionOf } from '../question/measures.ts'
import type { Answer, Asks } from '../question/question.ts'
import { axisOf, type Bin, binned, endsOf } from './bins.ts'
import { type Extent, extentOf, isLog, mayBeLog } from './scale.ts'
import { partsOf, type Shade } from './shades.ts'

/** Bins of a measure with their counts, in ascending order of value. */
export interface Spread {
  readonly bins: readonly Bin[]
  /** For each shade but the rest, the number of its entities in each bin. */
  readonly stacks: readonly (readonly number[])[]
  readonly extent: Extent
  readonly isLog: boolean
  readonly mayBeLog: boolean
  /** Number of entities that have a value, and total number of entities, which is undefined if unknown. */
  readonly present: number
  readonly total: number | undefined
  /** True if the counts are lower bounds. */
  readonly isPartial: boolean
}

/** Counts a list by bin. Returns undefined if no match has a value. Rejects as `ask` does. */
export async function countBins(
  ask: Asks,
  filters: readonly Filter[],
  measure: Measure,
  log: boolean | undefined,
  shades: readonly Shade[],
): Promise<Spread | undefined> {
  const found = await extremes(ask, measure)
  if (found === undefined) return undefined
  const axis = axisOver(found, measure, log)
  const ends = endsOf(axisOf(found, measure, filters), measure, axis.isLog)
  const ranges = ends
    .slice(1)
    .map((to, index) => ({ from: boundValue(ends[index] ?? to, measure), to: boundValue(to, measure) }))
  const facets = [{ property: propertyOf(measure.key), kind: kindOf(measure), ranges }]
  const parts = partsOf(shades).map((part) => ask({ facets }, part))
  const [answer, ...stacked] = await Promise.all([ask({ facets }), ...parts])
  const [facet] = answer.facets
  const countsOf = ({ facets: [counted] }: Answer) => counted?.buckets.map(({ count }) => count) ?? []
  const counts = countsOf(answer)
  return {
    bins: ends.slice(1).map((to, index) => ({ from: ends[index] ?? to, to, count: counts[index] ?? 0 })),
    ...axis,
    stacks: stacked.map(countsOf),
    present: facet?.present ?? 0,
    total: answer.total,
    isPartial: answer.partial || facet?.partial === true,
  }
}

/** Counts the loaded entities by bin. Returns undefined if no entity has a value. */
export function countLoaded(
  entities: readonly Entity[],
  measure: Measure,
  log: boolean | undefined,
): Spread | undefined {
  const values = entities.flatMap((entity) => positionOf(entity, measure) ?? [])
  const extent = extentOf(values)
  if (extent === undefined) return undefined
  const axis = axisOver(extent, measure, log)
  const ends = endsOf(extent, measure, axis.isLog)
  return {
    bins: binned(values, ends),
    stacks: [],
    ...axis,
    present: values.length,
    total: entities.length,
    isPartial: false,
  }
}

function axisOver(extent: Extent, measure: Measure, log: boolean | undefined) {
  return { extent, isLog: isLog(extent, measure, log), mayBeLog: mayBeLog(extent, measure) }
}

/** Returns the minimum and maximum of a measure. Finds those of days by sorting, since worlds do not report the extremes of strings. */
export async function extremes(ask: Asks, measure: Measure) {
  const property = propertyOf(measure.key)
  if (measure.kind === 'day') {
    const values = await Promise.all(
      [false, true].map(async (descending) => {
        const { entities } = await ask({ limit: 1, sort: [{ property, descending, kind: 'text' }] })
        return entities.flatMap((entity) => positionOf(entity, measure) ?? [])
      }),
    )
    return extentOf(values.flat())
  }
  const answer = await ask({ facets: [{ property, kind: kindOf(measure), histogram: 1 }] })
  const [facet] = answer.facets
  const bounds = [facet?.minimum, facet?.maximum].map((bound) =>
    typeof bound === 'string' ? timeOf(bound) : bound,
  )
  return extentOf(bounds.filter((bound) => bound !== undefined))
}

function kindOf({ kind }: Measure): string {
  return kind === 'day' ? 'text' : kind === 'instant' ? 'instant' : 'number'
}
