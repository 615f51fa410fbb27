/** Axes that the two forms of a scatter plot share. */
import type { ComponentChildren } from 'preact'
import type { Measure } from '../question/measures.ts'
import { frameOf } from './axes.tsx'
import type { ChartProps } from './chart-props.ts'
import { ChooseLog, logOf, logText } from './choose.tsx'
import { type Extent, isLog, mayBeLog, scaleOf } from './scale.ts'
import { heightFor } from './use-width.ts'

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

/** Returns the frame of a plot that is `width` wide, with its scales. Undefined without extents. */
export function plotFrame(
  { x, y }: Pick<Plotting, 'x' | 'y'>,
  extents: Extents,
  logs: ReturnType<typeof logsOf>,
  width: number,
) {
  const height = heightFor(width)
  const along = extents.x && scaleOf(extents.x, x, { isLog: logs.x, count: width / 100 })
  const up = extents.y && scaleOf(extents.y, y, { isLog: logs.y, count: height / 60 })
  return along && up && { height, along, up, frame: frameOf(width, height, up) }
}
