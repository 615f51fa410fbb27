/** Lines of the groups of a list over time. */

import { fieldOf, isNumber, timeOf } from '@worldwright/extensions/shown'
import { Axes, frameOf, xOf, yOf } from '../charts/axes.tsx'
import { extentOf, scaleOf } from '../charts/scale.ts'
import { MOST_KINDS } from '../charts/shades.ts'
import { useWidth } from '../charts/use-width.ts'
import type { Measure } from '../question/measures.ts'
import type { Group } from '../question/question.ts'
import { type By, measureOf, rangeOf } from '../question/summary.ts'
import { amountText, binText } from './group-text.ts'
import { amountsOf, drawnOf, type Summarized, seriesOf } from './use-summary.ts'

const HEIGHT = 220

/** A group on a line: the beginning and the end of its bin, and its amount. */
export interface LinePoint {
  readonly from: number
  readonly to: number
  readonly amount: number
}

/** A line, or one for each of the most frequent second keys. The table holds the same data, so screen readers skip it. */
export function SummaryLines({ summary }: { summary: Summarized }) {
  const { box, width } = useWidth()
  const { by, columns, grouped } = summary
  const [first] = by
  const drawn = drawnOf(summary)
  const column = columns[drawn - 1]
  const measure = first && measureOf(first.askable)
  const lines = seriesOf(summary)
    .slice(0, MOST_KINDS)
    .map(({ groups, color }) => ({
      color,
      points: first === undefined ? [] : pointsOf(groups, first, drawn),
    }))
  const points = lines.flatMap((line) => line.points)
  const extent = extentOf(points.map(({ from }) => from))
  if (measure === undefined || extent === undefined) return <div ref={box} />
  // A missing group means zero entities, unless the world left groups out.
  const isCounted = column === undefined || column.op === 'sum' || column.op === 'distinct'
  const fillsGaps = isCounted && grouped.groups.length === grouped.groupsTotal && !grouped.partial
  const amounts = points.map(({ amount }) => amount)
  const field = column?.askable.field ?? fieldOf('', undefined, undefined)
  const upward: Measure = { key: '', kind: 'number', isWhole: false, field }
  const up = scaleOf(extentOf(isCounted ? [0, ...amounts] : amounts) ?? [0, 1], upward, {
    isLog: false,
    count: 4,
  })
  const along = scaleOf(extent, measure, { isLog: false, count: width / 100 })
  const frame = frameOf(width, HEIGHT, up)
  return (
    <div class="plot" ref={box} aria-hidden="true">
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        <Axes frame={frame} along={along} up={up} />
        {lines.map(({ color, points }, index) => (
          <g key={index} class="line" style={{ '--series': color }}>
            {runsOf(points, fillsGaps).map((run) => (
              <polyline
                key={run[0]?.from}
                points={run
                  .map(({ from, amount }) => `${xOf(frame, along, from)},${yOf(frame, up, amount)}`)
                  .join(' ')}
              />
            ))}
            {points.map(({ from, amount, name }) => (
              <circle key={from} cx={xOf(frame, along, from)} cy={yOf(frame, up, amount)} r="2.5">
                <title>{`${name}: ${amountText(amount, column)}`}</title>
              </circle>
            ))}
          </g>
        ))}
      </svg>
    </div>
  )
}

function pointsOf(groups: readonly Group[], by: By, drawn: number) {
  const points = groups.flatMap((group) => {
    const [value = null] = group.key
    const amount = amountsOf(group)[drawn]
    const single = isNumber(value) ? Number(value) : timeOf(String(value))
    const [from, to] = rangeOf(value, by) ?? [single ?? Number.NaN, (single ?? 0) + 1]
    if (!isNumber(amount) || Number.isNaN(from)) return []
    return [{ from, to, amount: Number(amount), name: binText(value, by) ?? String(value) }]
  })
  return points.toSorted((a, b) => a.from - b.from)
}

/** Splits a line into runs of adjacent bins. With `fillsGaps` it is one run, which is zero in the bins between. */
export function runsOf(points: readonly LinePoint[], fillsGaps: boolean): LinePoint[][] {
  const runs: LinePoint[][] = []
  for (const point of points) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run === undefined || last === undefined || (last.to < point.from && !fillsGaps)) runs.push([point])
    else if (last.to >= point.from) run.push(point)
    else {
      const before = Math.max(last.to, point.from - (point.to - point.from))
      run.push({ from: last.to, to: before, amount: 0 }, { from: before, to: point.from, amount: 0 }, point)
    }
  }
  return runs
}
