/** A list in one of its layouts: fetched with the first list. */
import type { FunctionComponent } from 'preact'
import type { ChartProps } from '../charts/chart-props.ts'
import { Histogram, PlaceChart, Scatter, Timeline } from '../charts/charts.ts'
import type { Field } from '../data/fields.ts'
import type { View } from '../navigation/route.ts'
import { useNarrow } from '../parts/use-narrow.ts'
import { ColumnChooser } from './column-chooser.tsx'
import { EntityCards } from './entity-cards.tsx'
import { EntityGallery } from './entity-gallery.tsx'
import { EntityList } from './entity-list.tsx'
import { EntityTable } from './entity-table.tsx'
import type { Order } from './list-order.ts'
import { OrderChoice } from './order-choice.tsx'
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
  const isNarrow = useNarrow()
  const Chart = CHARTS[view]
  if (Chart !== undefined) return <Chart {...chart} />
  const rows = { walk, label, onRow, asked: chart.asked }
  return (
    <>
      <div class="row list-tools">
        {view === 'table' && <ColumnChooser shown={columns} available={available} onColumns={onColumns} />}
        {order !== undefined && <OrderChoice order={order} />}
      </div>
      {view === 'gallery' ? (
        <EntityGallery walk={walk} label={label} onRow={onRow} />
      ) : view === 'list' ? (
        <EntityList {...rows} />
      ) : isNarrow ? (
        <EntityCards {...rows} columns={columns} />
      ) : (
        <EntityTable {...rows} columns={columns} order={order} />
      )}
    </>
  )
}
