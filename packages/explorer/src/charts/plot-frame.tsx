/** Axes that the two forms of a scatter plot share. */
import type { ComponentChildren } from 'preact'
import type { Measure } from '../question/measures.ts'
import { Axes, frameOf, xOf, yOf } from './axes.tsx'
import type { ChartProps } from './chart-props.ts'
import { ChooseLog, logOf, logText, measureText } from './choose.tsx'
import { type Extent, isLog, mayBeLog, scaleOf } from './scale.ts'
import { heightFor, useWidth } from './use-width.ts'

/** Measures of a plot, and the controls that choose them. */
export interface Plotting {
  readonly x: Measure
  readonly y: Measure
  readonly choose: ComponentChildren
}

/** Extents of both axes, as far as they are known. */
export interface Extents {
  readonly x: Extent | undefined
  readonly y: Extent | undefined
}

/** Reports which axes are logarithmic. */
export function logsOf({ x, y }: Pick<Plotting, 'x' | 'y'>, extents: Extents, log: string | undefined) {
  return {
    x: extents.x !== undefined && isLog(extents.x, x, logOf(log, 'x')),
    y: extents.y !== undefined && isLog(extents.y, y, logOf(log, 'y')),
  }
}

/** Check boxes for the axes that may be logarithmic. */
export function ChooseLogs(props: ChartProps & Plotting & { extents: Extents }) {
  const { x, y, extents, plot, onPlot } = props
  const logs = logsOf(props, extents, plot.log)
  return (['x', 'y'] as const)
    .filter((axis) => extents[axis] !== undefined && mayBeLog(extents[axis], props[axis]))
    .map((axis) => (
      <ChooseLog
        key={axis}
        label={props[axis].field.label}
        isLog={logs[axis]}
        onLog={(isOn) => onPlot({ ...plot, x: x.key, y: y.key, log: logText({ ...logs, [axis]: isOn }) })}
      />
    ))
}

/** Box of a plot, with the names of its axes around what `children` draws. Empty without extents. */
export function PlotBox(props: {
  axes: Pick<Plotting, 'x' | 'y'>
  extents: Extents
  logs: ReturnType<typeof logsOf>
  /** Draws the content over `axes`. `xOf` and `yOf` return positions in pixels. */
  children: (plot: {
    readonly width: number
    readonly height: number
    readonly axes: ComponentChildren
    readonly xOf: (value: number) => number
    readonly yOf: (value: number) => number
  }) => ComponentChildren
}) {
  const { axes, extents, logs, children } = props
  const { box, width } = useWidth()
  const height = heightFor(width)
  const along = extents.x && scaleOf(extents.x, axes.x, { isLog: logs.x, count: width / 100 })
  const up = extents.y && scaleOf(extents.y, axes.y, { isLog: logs.y, count: height / 60 })
  if (along === undefined || up === undefined) return <div ref={box} />
  const frame = frameOf(width, height, up)
  return (
    <div class="plot" ref={box}>
      <p class="axis-name">↑ {measureText(axes.y)}</p>
      {children({
        width,
        height,
        axes: <Axes frame={frame} along={along} up={up} />,
        xOf: (value) => xOf(frame, along, value),
        yOf: (value) => yOf(frame, up, value),
      })}
      <p class="axis-name along">{measureText(axes.x)} →</p>
    </div>
  )
}
