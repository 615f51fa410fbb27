/** Counts a list by bins of a measure, for display in a chart. */

import { withFilter } from '@worldwright/extensions/views'
import { useMemo } from 'preact/hooks'
import { lastBefore, type Measure, rangeFilter } from '../question/measures.ts'
import { count, unitAfter, words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import type { Bin } from './bins.ts'
import { type ChartTable, tableOf } from './chart-figure.tsx'
import type { ChartProps } from './chart-props.ts'
import { measureText } from './choose.tsx'
import { countBins, countLoaded, type Spread } from './count-bins.ts'
import { positionText } from './scale.ts'
import type { Shade } from './shades.ts'
import { useCounted } from './use-counted.ts'

const spreads = createMemory<Spread | undefined>(60)

/** Counts a list by bins of `measure`. In the result, `name` labels the chart, and `onBin` filters the list to a bin. */
export function useSpread(
  props: ChartProps,
  measure: Measure,
  log: boolean | undefined,
  shades: readonly Shade[] = [],
) {
  const { asked, question, entities, onAsked } = props
  const remote = useCounted(props, { depends: [measure.key, log, shades], memory: spreads }, (ask) =>
    countBins(ask, asked.filters, measure, log, shades),
  )
  const loaded = useMemo(
    () => (question === undefined ? countLoaded(entities, measure, log) : undefined),
    [measure, question === undefined, log, entities],
  )
  const read =
    question === undefined ? { ...remote, value: loaded, isBusy: false, failure: undefined } : remote
  const [from = '', to = ''] = (read.value?.extent ?? []).map((one) => positionText(one, measure))
  const name = words.value.views.spread(measureText(measure), from, to)
  return { ...read, name, onBin: question && ((bin: Bin) => onAsked(narrowedTo(bin, measure, asked))) }
}

/** Returns a table with a row for each non-empty bin. Clicking a row calls `onBin` with its bin. */
export function spreadTable(
  spread: Spread | undefined,
  measure: Measure,
  onBin: ((bin: Bin) => void) | undefined,
): ChartTable {
  const bins = spread?.bins.filter((bin) => bin.count > 0) ?? []
  return tableOf([measureText(measure), words.value.views.number], bins, (bin) => {
    const text = rangeText(bin, measure)
    const button = (
      <button type="button" class="link" onClick={() => onBin?.(bin)}>
        {text}
      </button>
    )
    return [onBin === undefined ? text : button, count(bin.count)]
  })
}

/** Formats a bin, such as `1990 – 1999` or `10 – 20 km`. */
export function rangeText({ from, to }: Pick<Bin, 'from' | 'to'>, measure: Measure): string {
  const last = lastBefore(to, measure)
  const unit = unitAfter(measure.field)
  const [first, end] = [positionText(from, measure), positionText(last, measure)]
  return first === end ? `${first}${unit}` : `${first} – ${end}${unit}`
}

/** Returns the question narrowed to the values of a measure in a half-open range. */
export function narrowedTo(
  { from, to }: Pick<Bin, 'from' | 'to'>,
  measure: Measure,
  asked: ChartProps['asked'],
) {
  return { ...asked, filters: withFilter(asked.filters, measure.key, rangeFilter(from, to, measure)) }
}
