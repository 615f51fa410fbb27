/** Groups of a summary in addresses, such as `10:discoveryYear` and `avg:radiusKm`, and as members of a query. */
import type { JsonObject } from '@worldwright/client/protocol'
import { propertyOf } from './property-key.ts'
import type { Known } from './question.ts'

/** A property whose values form groups. */
interface GroupBy {
  readonly askable: Known
  /** `value` for a group per value, a unit of the calendar, or the width of the bins of a number. */
  readonly bin: string
}

/** A measure of each group. */
interface GroupMeasure {
  readonly askable: Known
  readonly op: string
}

/** Units of the calendar by which times form groups. */
export const UNITS: readonly string[] = ['year', 'quarter', 'month', 'week', 'day', 'hour']

/** Splits the text of a key or a measure at its first colon. Returns undefined if there is none. */
export function splitGroup(text: string): readonly [how: string, key: string] | undefined {
  const [, how, key] = /^([^:]+):(.+)$/s.exec(text) ?? []
  return how === undefined || key === undefined ? undefined : [how, key]
}

/** Returns the members of a query that ask for the groups of a list. Without keys, the whole list is one group. */
export function groupsAsked(
  by: readonly GroupBy[],
  columns: readonly GroupMeasure[],
  order: string,
): JsonObject {
  const measures = columns.map(({ askable, op }) => ({
    op,
    property: propertyOf(askable.key),
    kind: askable.kind,
  }))
  const group = by.map(({ askable: { key, kind }, bin }) => ({
    property: propertyOf(key),
    kind,
    ...(UNITS.includes(bin) ? { unit: bin } : bin === 'value' ? {} : { width: Number(bin) }),
  }))
  return {
    ...(measures.length > 0 && { measures }),
    ...(group.length > 0 && { group, groupSort: [order] }),
  }
}
