import type { Column } from '../columns/column.ts'
import type { Group, GroupOrder, GroupRequest, GroupResult, Measure } from '../port/conditions.ts'
import type { Deadline } from './deadline.ts'
import { DocumentGroups } from './document-groups.ts'
import type { Matching } from './facets.ts'
import { presentIn } from './filter.ts'
import { firstOf } from './first-of.ts'
import { type Keys, keysOf } from './group-keys.ts'
import { type Measured, measured } from './measures.ts'
import { Room } from './room.ts'
import { presentOrdinals } from './value-codes.ts'

/** Room for keys and groups, and again for all measures that order them and one other at a time, in doubles: 24 MB. */
const ROOM = 3 * 2 ** 20

/** Groups the documents of the result. Only the measures that order the groups are computed for more than the first ones. */
export function groupsOf(
  { keys: asked, measures, sort, limit }: GroupRequest,
  matching: readonly Matching[],
  deadline: Deadline,
  doubles = ROOM,
): GroupResult {
  const room = new Room(deadline, doubles)
  const measuring = new Room(deadline, doubles)
  const keys = asked.map((key) => keysOf(key, matching, room))
  const groups = new DocumentGroups(keys, keys.every(({ isComplete }) => isComplete) ? matching : [], room)
  let used = keys.length === 0 ? Uint32Array.of(0) : presentOrdinals(groups.counts)
  if (sort.some(({ by }) => by === 'measure')) {
    groups.keep(used)
    used = used.map((_, group) => group)
  }
  const early = measures.map((measure, at) => {
    const isEarly = sort.some((order) => order.by === 'measure' && order.measure === at)
    return isEarly ? measured(measure, groups, measuring) : undefined
  })
  const first = firstOf(used, limit, comparisonOf(sort, groups, keys, early), deadline)
  groups.keep(first)
  const columns = measures.map((measure, at) => {
    const known = early[at]
    if (known) return Array.from(first, (group) => shownRank(known, group))
    return measuring.within(() => {
      const late = measured(measure, groups, measuring)
      return Array.from(first, (_, group) => shownRank(late, group))
    })
  })
  const shown = Array.from(
    first,
    (_, group): Group => ({
      key: keys.map(({ codes, kind }, key) => {
        const code = groups.code(group, key)
        return code === codes.count ? null : codes.value(code, kind)
      }),
      count: groups.counts[group] as number,
      measures: columns.map((column) => column[group] ?? null),
    }),
  )
  const ignored = measures.map((measure) => ignoredBy(measure, matching))
  const isPartial = deadline.leftOut || room.isCut || measuring.isCut
  return { groups: shown, total: used.length, ignored, ...(isPartial && { partial: true }) }
}

function shownRank({ ranks, value }: Measured, group: number): number | string | null {
  const rank = ranks[group] as number
  return Number.isNaN(rank) ? null : value(rank)
}

/** Compares two groups. Null sorts last in both directions, and ties are in ascending order of their keys. */
function comparisonOf(
  sort: readonly GroupOrder[],
  groups: DocumentGroups,
  keys: readonly Keys[],
  measures: readonly (Measured | undefined)[],
): (left: number, right: number) => number {
  const byKeys = keys.map(({ codes }, key) => (group: number) => {
    const code = groups.code(group, key)
    return code === codes.count ? Number.NaN : code
  })
  const orders = [...sort, { by: 'key', descending: false } as const].flatMap((order) => {
    const { descending } = order
    if (order.by === 'key') return byKeys.map((rank) => ({ rank, descending }))
    if (order.by === 'count') return { rank: (group: number) => groups.counts[group] as number, descending }
    const ranks = order.by === 'measure' && measures[order.measure]?.ranks
    return ranks ? { rank: (group: number) => ranks[group] as number, descending } : []
  })
  return (left, right) => {
    for (const { rank, descending } of orders) {
      const [one, other] = [rank(left), rank(right)]
      if (one === other) continue
      if (Number.isNaN(one) && Number.isNaN(other)) continue
      if (Number.isNaN(one) || Number.isNaN(other)) return Number.isNaN(one) ? 1 : -1
      return descending ? other - one : one - other
    }
    return 0
  }
}

/** Returns the number of documents with indexed values of other kinds. A time is an instant and a text, but one value. */
function ignoredBy({ property, kind }: Measure, matching: readonly Matching[]): number {
  const isOwn = (column: Column) => column.kind === kind || (kind === 'text' && column.kind === 'instant')
  return matching.reduce((sum, { documents, set }) => {
    const columns = documents.columns(property).filter((column) => column.kind !== 'unindexed')
    const others = columns.filter((column) => !isOwn(column))
    if (set.count === 0 || others.length === 0) return sum
    const times = columns.find((column) => kind === 'instant' && isOwn(column))
    const holders = others.map((column) => {
      const present = presentIn(column)
      return times && column.kind === 'text' ? present.without(presentIn(times)) : present
    })
    return sum + holders.reduce((all, each) => all.or(each)).and(set).count
  }, 0)
}
