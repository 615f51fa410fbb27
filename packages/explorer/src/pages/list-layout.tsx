/** A list in one of its layouts: fetched with the first list. */
import type { FunctionComponent } from 'preact'
import type { ChartProps } from '../charts/chart-props.ts'
import { Histogram, PlaceChart, Scatter, Timeline } from '../charts/charts.ts'
import type { Field } from '../data/fields.ts'
import type { View } from '../navigation/route.ts'
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
  label: string
  order: Order | undefined
  onRow: (row: number) => void
  chart: ChartProps
}) {
  const { view, walk, columns, label, order, onRow, chart } = props
  const Chart = CHARTS[view]
  if (Chart !== undefined) return <Chart {...chart} />
  return view === 'table' ? (
    <EntityTable walk={walk} columns={columns} label={label} onRow={onRow} order={order} />
  ) : (
    <EntityList walk={walk} label={label} onRow={onRow} />
  )
}
