/** Scatter plot of a list that is too long for points: cells with the number of entities in them. */
import type { Remote } from '../parts/use-remote.ts'
import type { Measure } from '../question/measures.ts'
import { words } from '../words/words.ts'
import { Axes, xOf, yOf } from './axes.tsx'
import { CellFigure, CellLayer } from './cell-layer.tsx'
import { type Cells, plotCells, type Question } from './cells.ts'
import type { ChartProps } from './chart-props.ts'
import { measureText } from './choose.tsx'
import { extremes } from './count-bins.ts'
import { ChooseLogs, type Extents, logsOf, type Plotting, plotFrame } from './plot-frame.tsx'
import { type Extent, extentOf } from './scale.ts'
import { useLook } from './use-look.tsx'
import { MOST_DRAWN } from './use-sample.ts'
import { narrowedTo, rangeText } from './use-spread.tsx'
import { useWidth } from './use-width.ts'

/** What is known of a long list: the extents of its axes, and its cells unless points can be drawn. */
export interface Plotted {
  readonly total: number
  readonly extents: Extents
  readonly cells: Cells | undefined
}

/** Counts the entities of a long list in cells, unless they are few or their axes have no cells. */
export async function plotted(
  one: Question,
  axes: Pick<Plotting, 'x' | 'y'>,
  log: string | undefined,
  mean: string | undefined,
): Promise<Plotted> {
  const [all, x, y] = await Promise.all([one({}), extremes(one, axes.x), extremes(one, axes.y)])
  const total = all.total ?? 0
  const few = { total, extents: { x, y }, cells: undefined }
  if (x === undefined || y === undefined || total <= MOST_DRAWN) return few
  return { ...few, cells: await plotCells(one, axes, { x, y }, logsOf(axes, { x, y }, log), mean) }
}

/** The plot of cells. A cell filters the list to its ranges. */
export function ScatterCells(
  props: ChartProps & Plotting & { read: Remote<Plotted | undefined>; measure: Measure | undefined },
) {
  const { x, y, plot, asked, onAsked, choose, read, measure } = props
  const { extents = { x: undefined, y: undefined }, total = 0, cells } = read.value ?? {}
  const look = useLook(props, ['color'], true)
  const label = words.value.views.against(measureText(y), measureText(x))
  const range = ([from, to]: Extent, axis: Measure) => `${axis.field.label} ${rangeText({ from, to }, axis)}`
  return (
    <CellFigure
      {...props}
      read={{ ...read, value: cells }}
      controls={
        <>
          {choose}
          <ChooseLogs {...props} extents={extents} />
          {look.controls}
        </>
      }
      measure={measure}
      total={total}
      heading={`${x.field.label}, ${y.field.label}`}
      label={label}
      textOf={(cell) => `${range(cell.x, x)}, ${range(cell.y, y)}`}
      onPress={(cell) => {
        const along = narrowedTo({ from: cell.x[0], to: cell.x[1] }, x, asked)
        onAsked(narrowedTo({ from: cell.y[0], to: cell.y[1] }, y, along))
      }}
      picture={(layer) => <CellPlot {...layer} x={x} y={y} logs={logsOf({ x, y }, extents, plot.log)} />}
    />
  )
}

function CellPlot(
  props: Omit<Parameters<typeof CellLayer>[0], 'width' | 'height' | 'boxOf'> &
    Pick<Plotting, 'x' | 'y'> & { logs: ReturnType<typeof logsOf> },
) {
  const { x, y, cells, logs } = props
  const { box, width } = useWidth()
  // The axes hold whole cells.
  const extents = {
    x: extentOf(cells.flatMap((cell) => cell.x)),
    y: extentOf(cells.flatMap((cell) => cell.y)),
  }
  const plot = plotFrame(props, extents, logs, width)
  if (plot === undefined) return <div ref={box} />
  const { height, along, up, frame } = plot
  return (
    <div class="plot" ref={box}>
      <p class="axis-name">↑ {measureText(y)}</p>
      <CellLayer
        {...props}
        width={width}
        height={height}
        boxOf={(cell) => {
          const [left, top] = [xOf(frame, along, cell.x[0]), yOf(frame, up, cell.y[1])]
          const [right, bottom] = [xOf(frame, along, cell.x[1]), yOf(frame, up, cell.y[0])]
          return { x: left, y: top, width: right - left, height: bottom - top }
        }}
      >
        <Axes frame={frame} along={along} up={up} />
      </CellLayer>
      <p class="axis-name along">{measureText(x)} →</p>
    </div>
  )
}
