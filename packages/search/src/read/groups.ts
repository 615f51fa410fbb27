/** Groups the documents of a result, and measures the groups. */
import { instantOf } from '@worldwright/core/store'
import type { Column } from '../columns/column.ts'
import type { Group, GroupOrder, GroupRequest, GroupResult, Measure } from '../port/conditions.ts'
import type { Deadline } from './deadline.ts'
import { DocumentGroups } from './document-groups.ts'
import { DocumentSet } from './document-set.ts'
import { eachOrdinal } from './each-ordinal.ts'
import type { Matching } from './facets.ts'
import { presentIn } from './filter.ts'
import { firstOf } from './first-of.ts'
import { type Keys, keysOf } from './group-keys.ts'
import { type Measured, measured } from './measures.ts'
import { Room } from './room.ts'

/** Room for keys and groups, in doubles: 32 MB. */
const GROUP_ROOM = 4 * 2 ** 20
/** Room for all measures that order the groups, and for one other measure at a time, in doubles: 32 MB. */
const MEASURE_ROOM = 4 * 2 ** 20

/** Groups the documents of the result. Only the measures that order the groups are computed for more than the first ones. */
export function groupsOf(
  { keys: asked, measures, sort, limit }: GroupRequest,
  matching: readonly Matching[],
  deadline: Deadline,
): GroupResult {
  const room = new Room(deadline, GROUP_ROOM)
  const measuring = new Room(deadline, MEASURE_ROOM)
  const keys = asked.map((key) => keysOf(key, matching, room))
  const groups = new DocumentGroups(keys, keys.every(({ isComplete }) => isComplete) ? matching : [], room)
  const total = groups.keepUsed(keys.length === 0)
  const early = measures.map((measure, at) => {
    const isEarly = sort.some((order) => order.by === 'measure' && order.measure === at)
    return isEarly ? measured(measure, groups, measuring) : undefined
  })
  const first = firstOf(total, limit, comparisonOf(sort, groups, keys, early), deadline)
  groups.keep(Uint32Array.from(first))
  const columns = measures.map((measure, at) => {
    const known = early[at]
    if (known) return first.map((group) => shownRank(known, group))
    return measuring.within(() => {
      const late = measured(measure, groups, measuring)
      return first.map((_, group) => shownRank(late, group))
    })
  })
  const shown = first.map(
    (_, group): Group => ({
      key: keys.map(({ codes, kind }, key) => {
        const code = groups.code(group, key)
        return code === codes.count ? null : codes.value(code, kind)
      }),
      count: groups.counts[group] as number,
      measures: columns.map((column) => column[group] ?? null),
    }),
  )
  const ignored = measures.map((measure) => ignoredBy(measure, matching, deadline))
  const isPartial = deadline.leftOut || room.isCut || measuring.isCut
  return { groups: shown, total, ignored, ...(isPartial && { partial: true }) }
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

/** Returns the number of documents with values of other kinds, except unindexed ones. A time is a text, not another value. */
function ignoredBy({ property, kind }: Measure, matching: readonly Matching[], deadline: Deadline): number {
  return matching.reduce((sum, { documents, set }) => {
    const columns = set.count > 0 ? documents.columns(property) : []
    const times = columns.find((column) => column.kind === 'instant')
    const holders = columns
      .filter((column) => ![kind, 'unindexed'].includes(column.kind) && (kind !== 'text' || column !== times))
      .map((column) => {
        const isOfTimes = times && kind === 'instant' && column.kind === 'text'
        return isOfTimes ? withOtherTexts(column, times, set, deadline) : presentIn(column)
      })
    return sum + holders.reduce((all, one) => all.or(one), DocumentSet.none(set.size)).and(set).count
  }, 0)
}

/** Returns the documents with texts that are no times. The result may have further ones outside the set. */
function withOtherTexts(texts: Column, times: Column, set: DocumentSet, deadline: Deadline): DocumentSet {
  const timed = presentIn(times)
  const untimed = presentIn(texts).without(timed)
  if (!texts.isMultiple) return untimed
  const bits = new Uint32Array((set.size + 31) >>> 5)
  const note = (ordinal: number, document: number) => {
    const text = Buffer.from(texts.dictionary.texts?.bytes(ordinal) ?? []).toString()
    if (instantOf(text) === undefined) (bits[document >>> 5] as number) |= 1 << (document & 31)
  }
  let before = { ordinal: 0, document: -1 }
  const visit = (ordinal: number, document: number) => {
    // The only text of a document with a time is that time.
    if (document === before.document) for (const each of [before.ordinal, ordinal]) note(each, document)
    before = { ordinal, document }
  }
  eachOrdinal(texts, timed.and(set), visit, deadline)
  return untimed.or(DocumentSet.ofBits(set.size, bits))
}
