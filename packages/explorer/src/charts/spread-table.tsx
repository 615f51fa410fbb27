/** Ranges and their counts as the table behind a picture. */
import type { Measure } from '../question/measures.ts'
import { count, words } from '../words/words.ts'
import type { Bin } from './bins.ts'
import type { ChartTable } from './chart-figure.tsx'
import { measureText } from './choose.tsx'
import type { Spread } from './count-bins.ts'
import { rangeText } from './use-spread.ts'

/** A row for each range that holds something; `onBin` is called with the one that is pressed. */
export function spreadTable(
  spread: Spread | undefined,
  measure: Measure,
  onBin: ((bin: Bin) => void) | undefined,
): ChartTable {
  const bins = spread?.bins.filter((bin) => bin.count > 0) ?? []
  return {
    headings: [measureText(measure), words.value.views.number],
    length: bins.length,
    row: (index) => {
      const bin = bins[index]
      if (bin === undefined) return []
      const text = rangeText(bin, measure)
      const button = (
        <button type="button" class="link" onClick={() => onBin?.(bin)}>
          {text}
        </button>
      )
      return [onBin === undefined ? text : button, count(bin.count)]
    },
  }
}
