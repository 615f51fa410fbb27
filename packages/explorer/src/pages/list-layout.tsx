/** Layouts of a list. This module is loaded with the first list. */

import type { Field } from '@worldwright/extensions/shown'
import type { Layout } from '@worldwright/extensions/views'
import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ChartProps } from '../charts/chart-props.ts'
import { Histogram, PlaceChart, Scatter, Timeline } from '../charts/charts.ts'
import { needed } from '../parts/loaded.tsx'
import { ColumnChooser } from './column-chooser.tsx'
import { EntityGallery } from './entity-gallery.tsx'
import { EntityCards, EntityList } from './entity-rows.tsx'
import { EntityTable } from './entity-table.tsx'
import type { Order } from './list-order.ts'
import { OrderChoice } from './order-choice.tsx'
import type { Walk } from './use-walk.ts'

export { ListTools } from './list-tools.tsx'
export { ReadAll } from './read-all.tsx'

const Summary = needed(async () => (await import('../summary/summary-view.tsx')).SummaryView)

const CHARTS: Readonly<Partial<Record<Layout, FunctionComponent<ChartProps>>>> = {
  map: PlaceChart,
  timeline: Timeline,
  histogram: Histogram,
  scatter: Scatter,
  summary: Summary,
}

/** Shows the loaded part of a list as rows, or the whole list as a chart. */
export function ListLayout(props: {
  view: Layout
  walk: Walk
  columns: readonly Field[]
  /** All columns that the user can choose for the table. */
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

/** Media query for a page that is too narrow for a table. */
const NARROW = '(max-width: 39.99rem)'

/** Reports whether the page is narrow, and rerenders the component when that changes. */
function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches)
  useEffect(() => {
    const query = matchMedia(NARROW)
    const follow = () => setNarrow(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return isNarrow
}
