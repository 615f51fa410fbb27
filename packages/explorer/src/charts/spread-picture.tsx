/** Histogram: bins drawn as bars along an axis, with the count as the height. */

import { fieldOf } from '@worldwright/extensions/shown'
import { useState } from 'preact/hooks'
import type { Measure } from '../question/measures.ts'
import { count, words } from '../words/words.ts'
import { Axes, frameOf, xOf, yOf } from './axes.tsx'
import type { Bin } from './bins.ts'
import type { Spread } from './count-bins.ts'
import { type Scale, scaleOf } from './scale.ts'
import type { Shade } from './shades.ts'
import { Tip } from './tip.tsx'
import { rangeText } from './use-spread.tsx'
import { heightFor, useWidth } from './use-width.ts'

/** Measure for counts, which are whole numbers and belong to no property. */
export const COUNTS: Measure = {
  key: '',
  kind: 'number',
  isWhole: true,
  field: fieldOf('', undefined, undefined),
}

/** Returns the vertical axis of a histogram that is `height` pixels high. */
export function countScale(bins: readonly Bin[], height: number): Scale {
  const most = Math.max(1, ...bins.map((bin) => bin.count))
  return scaleOf([0, most], COUNTS, { isLog: false, count: Math.max(2, height / 60) })
}

/** The histogram. Calls `onBin` with the bin of a clicked bar. Without `onBin`, bars cannot be clicked. */
export function SpreadPicture(props: {
  spread: Spread
  measure: Measure
  label: string
  /** Height in pixels. By default, it depends on the width of the chart and the height of the window. */
  height?: number
  onBin: ((bin: Bin) => void) | undefined
  /** Colours of the layers of each bar. Undefined for bars in the colour of the page. */
  shades: readonly Shade[] | undefined
}) {
  const { spread, measure, label, onBin, shades } = props
  const { box, width } = useWidth()
  const [at, setAt] = useState<number>()
  const { bins } = spread
  const height = props.height ?? heightFor(width)
  const [first, last] = [bins[0], bins.at(-1)]
  const up = countScale(bins, height)
  if (first === undefined || last === undefined) return <div ref={box} />
  const along = scaleOf([first.from, last.to], measure, { isLog: spread.isLog, count: width / 100 })
  const frame = frameOf(width, height, up)
  const floor = yOf(frame, up, 0)
  const shown = at === undefined ? undefined : bins[at]

  return (
    <div class="plot" ref={box} onPointerLeave={() => setAt(undefined)}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        <Axes frame={frame} along={along} up={up} />
        {bins.map((bin, index) => {
          const [from, to] = [xOf(frame, along, bin.from), xOf(frame, along, bin.to)]
          const tall = bin.count === 0 ? 0 : Math.max(2, floor - yOf(frame, up, bin.count))
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users have the table.
            <g
              key={index}
              class={`bin ${onBin === undefined ? '' : 'choosing'}`}
              onPointerEnter={() => setAt(index)}
              onClick={onBin && bin.count > 0 ? () => onBin(bin) : undefined}
            >
              <rect
                class="room"
                x={from}
                y={frame.top}
                width={Math.max(0, to - from)}
                height={floor - frame.top}
              />
              {layersOf(spread, shades, index).map(({ color, share, below }) => (
                <rect
                  key={color}
                  class="bar"
                  style={{ fill: color }}
                  x={from + Math.min(0.5, (to - from) / 8)}
                  y={floor - tall * (share + below)}
                  width={Math.max(1, to - from - Math.min(1, (to - from) / 4))}
                  height={tall * share}
                />
              ))}
            </g>
          )
        })}
      </svg>
      {shown !== undefined && (
        <Tip
          x={(xOf(frame, along, shown.from) + xOf(frame, along, shown.to)) / 2}
          y={yOf(frame, up, shown.count)}
          width={width}
        >
          <b>{count(shown.count)}</b> <span>{rangeText(shown, measure)}</span>
          {onBin !== undefined && shown.count > 0 && (
            <button type="button" class="link" tabIndex={-1} onClick={() => onBin(shown)}>
              {words.value.views.narrow}
            </button>
          )}
        </Tip>
      )}
    </div>
  )
}

/** Returns the layers of a bar, lowest first, with their shares of its height. The rest of the entities is the highest layer. */
function layersOf({ bins, stacks }: Spread, shades: readonly Shade[] = [], index: number) {
  const all = Math.max(1, bins[index]?.count ?? 0)
  let below = 0
  return (shades.length === 0 ? [{ color: undefined }] : shades).map(({ color }, at) => {
    const share = at < stacks.length ? Math.min(1 - below, (stacks[at]?.[index] ?? 0) / all) : 1 - below
    below += share
    return { color, share, below: below - share }
  })
}
