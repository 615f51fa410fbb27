/** Scatter plot of a list that is too long for points: cells with the number of entities in them. */
import type { Remote } from '../parts/use-remote.ts'
import type { Measure } from '../question/measures.ts'
import type { Asks } from '../question/question.ts'
import { words } from '../words/words.ts'
import { CellFigure, CellLayer } from './cell-layer.tsx'
import { type Cell, type Cells, plotCells } from './cells.ts'
import type { ChartProps } from './chart-props.ts'
import { measureText } from './choose.tsx'
import { extremes } from './count-bins.ts'
import { ChooseLogs, type Extents, logsOf, PlotBox, type Plotting } from './plot-frame.tsx'
import { type Extent, extentOf } from './scale.ts'
import { useLook } from './use-look.tsx'
import { MOST_DRAWN } from './use-sample.ts'
import { narrowedTo, rangeText } from './use-spread.tsx'

/** Extents of the axes of a long list, and its cells unless points can be drawn. */
export interface Plotted {
  readonly total: number
  readonly extents: Extents
  readonly cells: Cells | undefined
}

/** Counts the entities of a long list in cells, unless they are few or their axes have no cells. */
export async function plotted(
  ask: Asks,
  axes: Pick<Plotting, 'x' | 'y'>,
  log: string | undefined,
  mean: string | undefined,
): Promise<Plotted> {
  const [all, x, y] = await Promise.all([ask({}), extremes(ask, axes.x), extremes(ask, axes.y)])
  const total = all.total ?? 0
  const few = { total, extents: { x, y }, cells: undefined }
  if (x === undefined || y === undefined || total <= MOST_DRAWN) return few
  return { ...few, cells: await plotCells(ask, axes, { x, y }, logsOf(axes, { x, y }, log), mean) }
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
      picture={(layer) => (
        <PlotBox axes={{ x, y }} extents={edgesOf(layer.cells)} logs={logsOf({ x, y }, extents, plot.log)}>
          {({ axes, xOf, yOf, ...size }) => (
            <CellLayer
              {...layer}
              {...size}
              boxOf={(cell) => {
                const [left, right] = cell.x.map(xOf) as [number, number]
                const [bottom, top] = cell.y.map(yOf) as [number, number]
                return { x: left, y: top, width: right - left, height: bottom - top }
              }}
            >
              {axes}
            </CellLayer>
          )}
        </PlotBox>
      )}
    />
  )
}

/** Returns the extents of axes that hold whole cells. */
function edgesOf(cells: readonly Cell[]): Extents {
  return { x: extentOf(cells.flatMap(({ x }) => x)), y: extentOf(cells.flatMap(({ y }) => y)) }
}
