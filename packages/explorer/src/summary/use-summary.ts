/** Asks for the groups of a list and for the same measures of the whole list. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import { groupsAsked } from '@worldwright/extensions/views'
import type { ChartProps } from '../charts/chart-props.ts'
import { MOST_KINDS, REST } from '../charts/shades.ts'
import { type Remote, useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { type Answer, ask, type Group } from '../question/question.ts'
import type { By, Column } from '../question/summary.ts'
import { createMemory } from '../world/memory.ts'

/** Keys, measures and order that a summary asks for. */
export interface SummaryQuestion {
  readonly by: readonly By[]
  readonly columns: readonly Column[]
  readonly order: string
  readonly limit: number
}

/** Groups, with the question that they answer. `whole` has the measures of the whole list as its only group. */
export interface Summarized extends SummaryQuestion {
  readonly grouped: Answer
  readonly whole: Answer
  /** The question for all groups, as a file of them needs it. */
  readonly input: JsonObject
}

const summaries = createMemory<Summarized>(60)

/** Reads the groups of a list. While new ones are read, the value is the previous ones. Asks nothing without keys. */
export function useSummary(props: ChartProps, asking: SummaryQuestion): Remote<Summarized> {
  const { world } = useOpenWorld()
  const { type, asked, question } = props
  const { by, columns, order, limit } = asking
  const { sort: _, near: __, ...listed } = asked
  const groups = groupsAsked(by, columns, order)
  return useRemote(
    question && by.length > 0 ? JSON.stringify([world.origin, type, listed, groups, limit]) : undefined,
    async (signal) => {
      const { sort: _, ...list } = (await question?.()) ?? {}
      const input = { ...list, ...groups }
      // The measures of the whole list cannot be derived from those of its groups.
      const [grouped, whole] = await Promise.all([
        ask(world, { ...input, groupLimit: limit, limit: 0 }, { signal }),
        ask(world, { ...list, ...groupsAsked([], columns, order), limit: 0 }, { signal }),
      ])
      return { ...asking, grouped, whole, input }
    },
    { keep: true, memory: summaries },
  )
}

/** Returns the groups by their second key, the most frequent first, with the colour that its bars and its line have. */
export function seriesOf({ grouped: { groups } }: Summarized) {
  const sizeOf = (some: readonly Group[]) => some.reduce((sum, { count }) => sum + count, 0)
  return [...Map.groupBy(groups, ({ key }) => JSON.stringify(key[1])).values()]
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .map((groups, index, all) => {
      const key = groups[0]?.key[1]
      const kind = all.length === 1 ? 'var(--accent)' : `var(--kind-${index})`
      return { key, groups, color: index < MOST_KINDS && key !== null ? kind : REST }
    })
}

/** Returns the numbers of a group: that of its entities, and its measures. */
export function amountsOf({ count, measures }: Group): readonly JsonValue[] {
  return [count, ...measures]
}

/** Returns which of the numbers of a group is drawn: that of the order, or else the last one. */
export function drawnOf({ columns, order }: SummaryQuestion): number {
  const names = [
    'count',
    ...columns.map(({ text, op, askable }) => (op === 'distinct' || askable.kind === 'number' ? text : '')),
  ]
  const ordered = names.indexOf(order.replace(/^-/, ''))
  return ordered >= 0 ? ordered : names.findLastIndex((name) => name !== '')
}
