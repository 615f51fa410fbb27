/** Colours of the values of a property: up to eight values and the rest, or ranges of a number along a ramp. */
import type { Entity, JsonObject } from '@worldwright/client'
import { allOf, conditionOf, hasValue, propertyOf, textOfValue } from '@worldwright/extensions/views'
import type { Askable } from '../question/askable.ts'
import { boundValue, type Measure, measuresOf, positionOf, valuesAt } from '../question/measures.ts'
import { unitAfter, words } from '../words/words.ts'
import { type Extent, isLog, positionText, scaleOf } from './scale.ts'

/** A colour with its label. `step` is its position on the ramp, from 0 to 1, unless it is a single value or the rest. */
export interface Tint {
  readonly color: string
  readonly label: string
  readonly step?: number
}

/** A colour, and the entities that have it. An entity has the first colour that fits. */
export interface Shade extends Tint {
  readonly holds: (entity: Entity) => boolean
  /** Condition of a query. Undefined for the rest, which is everything else. */
  readonly where?: JsonObject | undefined
}

/** A half-open range [`from`, `to`) of a number, with its colour. */
export interface Range extends Tint {
  readonly from: number
  readonly to: number
  readonly step: number
}

/** Colour of the entities that have none of their own. */
export const REST = 'var(--kind-rest)'
/** Maximum number of values with a colour of their own. */
export const MOST_KINDS = 8

/** Divides an extent at round values into at most eight ranges, whose colours are evenly spaced. `log` is that of `isLog`. */
export function rangesOf(extent: Extent, measure: Measure, log?: boolean): Range[] {
  const [least, most] = extent
  const axis = { isLog: isLog(extent, measure, log), count: 5 }
  const round = scaleOf(extent, measure, axis).ticks.map(({ value }) => value)
  const inner = (axis.isLog ? round.flatMap((value) => [value, value * 3]) : round).filter(
    (value) => value > least && value <= most,
  )
  const ends = inner.filter((_, index) => index % Math.ceil(inner.length / 7) === 0)
  const text = (value: number) => positionText(value, measure)
  const unit = unitAfter(measure.field)
  return [Number.NEGATIVE_INFINITY, ...ends].map((from, index) => {
    const to = ends[index] ?? Number.POSITIVE_INFINITY
    const step = ends.length === 0 ? 1 : index / ends.length
    const open = index === 0 ? text(least) : `≥ ${text(from)}`
    const closed = index === 0 ? `< ${text(to)}` : `${text(from)} – ${text(to)}`
    const label = to === Number.POSITIVE_INFINITY ? open : closed
    // Equal steps look equally far apart, as they are mixed in OKLab.
    const color = `color-mix(in oklab, var(--most) ${Math.round(step * 100)}%, var(--least))`
    return { from, to, step, color, label: label + unit }
  })
}

/** Returns the shades of a property: of the ranges of its `extent`, or of its most frequent `values` in text form. */
export function shadesOf(askable: Askable, extent: Extent | undefined, values: readonly string[]): Shade[] {
  const { key } = askable
  const [measure] = measuresOf([askable])
  const rest = { color: REST, label: words.value.views.rest, holds: () => true }
  if (measure === undefined)
    return [
      ...values.slice(0, MOST_KINDS).map((value, index) => ({
        color: `var(--kind-${index})`,
        label: value,
        holds: (entity: Entity) => valuesAt(entity, key).some((one) => textOfValue(one) === value),
        where: conditionOf([{ is: 'any', key, values: [value] }], [askable]),
      })),
      rest,
    ]
  const bound = (op: string, position: number) =>
    Number.isFinite(position)
      ? [{ op, args: [{ property: propertyOf(key) }, boundValue(position, measure)] }]
      : []
  const ranges = extent === undefined ? [] : rangesOf(extent, measure)
  return [
    ...ranges.map(({ from, to, ...tint }) => ({
      ...tint,
      holds: (entity: Entity) => {
        const at = positionOf(entity, measure)
        return at !== undefined && at >= from && at < to
      },
      where: allOf([...bound('>=', from), ...bound('<', to)]) ?? hasValue(key),
    })),
    rest,
  ]
}

/** Returns the conditions of the shades, each without the entities of those before it, so that nothing counts twice. */
export function partsOf(shades: readonly Shade[]): JsonObject[] {
  return shades
    .map(({ where }) => where)
    .filter((where) => where !== undefined)
    .map((where, index, all) => {
      const before = all.slice(0, index).map((one) => ({ op: 'not', args: [one] }))
      return allOf([where, ...before]) ?? where
    })
}
