/** Cells of a picture, coloured by the number of entities in them or by the mean of a measure. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Remote } from '../parts/use-remote.ts'
import type { Measure } from '../question/measures.ts'
import { count, unitAfter, words } from '../words/words.ts'
import type { Cell, Cells } from './cells.ts'
import { ChartFigure, tableOf } from './chart-figure.tsx'
import type { ChartProps } from './chart-props.ts'
import { withoutText } from './notes.ts'
import { extentOf, positionText } from './scale.ts'
import { type Range, REST, rangesOf } from './shades.ts'
import { COUNTS } from './spread-picture.tsx'
import { Tip } from './tip.tsx'
import { Legend } from './use-look.tsx'

/** Content of cells, and the effect of a click on one. */
interface Shown {
  readonly label: string
  /** Measure whose means colour the cells. Without one, their counts do. */
  readonly measure: Measure | undefined
  /** Describes the position of a cell. */
  readonly textOf: (cell: Cell) => string
  readonly onPress: (cell: Cell) => void
}

/** Figure of cells, with their legend and table. `picture` places the layer of the cells. */
export function CellFigure(
  props: ChartProps &
    Shown & {
      read: Remote<Cells | undefined>
      controls: ComponentChildren
      heading: string
      /** Number of entities in all cells. */
      total: number
      picture: (layer: Shown & { cells: readonly Cell[]; ranges: readonly Range[] }) => ComponentChildren
    },
) {
  const { read, controls, heading, label, measure, textOf, onPress, total, picture } = props
  const { views } = words.value
  const { cells = [], isPartial = false } = read.value ?? {}
  const values = cells.flatMap(({ count, mean }) => (measure === undefined ? count : (mean ?? [])))
  const extent = extentOf(values)
  const ranges = extent ? rangesOf(extent, measure ?? COUNTS, measure === undefined || undefined) : []
  const field = measure?.field ?? { ...COUNTS.field, label: views.number }
  const sorted = cells.toSorted((a, b) => b.count - a.count)
  return (
    <ChartFigure
      read={read}
      controls={controls}
      picture={picture({ label, measure, textOf, onPress, cells, ranges })}
      legend={<Legend askable={{ field, kind: 'number' }} shades={ranges} />}
      notes={[
        label,
        views.cells(count(total)),
        ...(isPartial ? [views.cutShort] : []),
        ...withoutText(props, { total, isBusy: false }, [heading]),
      ]}
      table={tableOf([heading, views.number, ...(measure ? [field.label] : [])], sorted, (cell) => [
        <button key="cell" type="button" class="link" onClick={() => onPress(cell)}>
          {textOf(cell)}
        </button>,
        count(cell.count),
        ...(measure ? [meanText(cell, measure)] : []),
      ])}
    />
  )
}

function meanText({ mean }: Cell, measure: Measure): string {
  return mean === undefined ? '–' : positionText(mean, measure) + unitAfter(measure.field)
}

/**
 * Cells over `children`, which is the background. A cell with a mean is the smaller the fewer entities are in it. Keyboard
 * users have the table.
 */
export function CellLayer(
  props: Shown & {
    cells: readonly Cell[]
    ranges: readonly Range[]
    width: number
    height: number
    /** Returns the position of a cell in pixels. */
    boxOf: (cell: Cell) => { x: number; y: number; width: number; height: number }
    children?: ComponentChildren
  },
) {
  const { cells, ranges, measure, width, height, label, boxOf, textOf, onPress, children } = props
  const [shown, setShown] = useState<Cell>()
  const most = Math.max(...cells.map((cell) => cell.count), 1)
  const tipped = shown && cells.includes(shown) ? { ...boxOf(shown), cell: shown } : undefined
  return (
    <div class="cells" onPointerLeave={() => setShown(undefined)}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {children}
        {cells.map((cell) => {
          const box = boxOf(cell)
          const value = measure === undefined ? cell.count : (cell.mean ?? Number.NaN)
          const inset = measure === undefined ? 0 : (1 - Math.log1p(cell.count) / Math.log1p(most)) * 0.35
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users have the table.
            <rect
              key={`${cell.x[0]} ${cell.y[0]}`}
              x={box.x + box.width * inset}
              y={box.y + box.height * inset}
              width={Math.max(1.5, box.width * (1 - 2 * inset) - 0.5)}
              height={Math.max(1.5, box.height * (1 - 2 * inset) - 0.5)}
              style={{ fill: ranges.find(({ from, to }) => value >= from && value < to)?.color ?? REST }}
              onPointerEnter={() => setShown(cell)}
              onClick={() => onPress(cell)}
            />
          )
        })}
      </svg>
      {tipped !== undefined && (
        <Tip x={tipped.x + tipped.width / 2} y={tipped.y} width={width}>
          <b>{count(tipped.cell.count)}</b> <span>{textOf(tipped.cell)}</span>
          {measure !== undefined && (
            <span>
              {measure.field.label} ⌀ {meanText(tipped.cell, measure)}
            </span>
          )}
        </Tip>
      )}
    </div>
  )
}
