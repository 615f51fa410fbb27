/** A list in one of its layouts: fetched with the first list. */
import type { FunctionComponent } from 'preact'
import type { ChartProps } from '../charts/chart-props.ts'
import { Histogram, PlaceChart, Scatter, Timeline } from '../charts/charts.ts'
import type { Field } from '../data/fields.ts'
import type { View } from '../navigation/route.ts'
import { ColumnChooser } from './column-chooser.tsx'
import { EntityGallery } from './entity-gallery.tsx'
import { EntityList } from './entity-list.tsx'
import { EntityTable } from './entity-table.tsx'
import type { Order } from './list-order.ts'
import type { Walk } from './use-walk.ts'

const CHARTS: Readonly<Partial<Record<View, FunctionComponent<ChartProps>>>> = {
  map: PlaceChart,
  timeline: Timeline,
  histogram: Histogram,
  scatter: Scatter,
}

/** What has been read of a list, or a chart of all of it. */
export function ListLayout(props: {
  view: View
  walk: Walk
  columns: readonly Field[]
  /** All columns that a table could have. */
  available: readonly Field[]
  onColumns: (names: readonly string[] | undefined) => void
  label: string
  order: Order | undefined
  onRow: (row: number) => void
  chart: ChartProps
}) {
  const { view, walk, columns, available, onColumns, label, order, onRow, chart } = props
  const Chart = CHARTS[view]
  if (Chart !== undefined) return <Chart {...chart} />
  if (view === 'gallery') return <EntityGallery walk={walk} label={label} onRow={onRow} />
  if (view === 'list') return <EntityList walk={walk} label={label} onRow={onRow} />
  return (
    <>
      <ColumnChooser shown={columns} available={available} onColumns={onColumns} />
      <EntityTable walk={walk} columns={columns} label={label} onRow={onRow} order={order} />
    </>
  )
}
