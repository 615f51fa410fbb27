/** Frame for every chart, with its controls, explanatory notes, and data as a table. */
import './charts.css'
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { PartFailure } from '../parts/failure-view.tsx'
import type { Remote } from '../parts/use-remote.ts'
import { count, words } from '../words/words.ts'

/** Maximum rows in the table of a chart's data. */
const MOST_ROWS = 1_000

/** Data of a chart, for display as a table. */
export interface ChartTable {
  readonly headings: readonly string[]
  readonly length: number
  /** Returns the cells of the first `most` rows. */
  readonly rows: (most: number) => readonly (readonly ComponentChildren[])[]
}

/** Returns a table with a row for each item in `items`. Its cells are created only when the table is opened. */
export function tableOf<T>(
  headings: readonly string[],
  items: readonly T[],
  cells: (item: T) => readonly ComponentChildren[],
): ChartTable {
  return { headings, length: items.length, rows: (most) => items.slice(0, most).map(cells) }
}

/** A chart. `notes` describe what it shows and omits. `nothing` is the text shown instead of an empty chart. */
export function ChartFigure(props: {
  controls?: ComponentChildren
  /** Undefined while there is nothing to draw. */
  picture: ComponentChildren
  legend?: ComponentChildren
  notes: readonly string[]
  nothing?: string
  table: ChartTable
  read: Pick<Remote<unknown>, 'isBusy' | 'failure' | 'retry'>
}) {
  const { controls, picture, legend, notes, nothing, table, read } = props
  const { isBusy, failure } = read
  const id = useId()
  const { app, views } = words.value
  const isEmpty = table.length === 0
  const empty = isBusy ? app.loading : (nothing ?? views.nothing)
  return (
    <figure class="chart" aria-describedby={id} aria-busy={isBusy}>
      {controls && <div class="chart-controls">{controls}</div>}
      <PartFailure of={read} />
      {!isEmpty && picture}
      {!isEmpty && legend}
      <figcaption id={id}>
        <span role="status">{isEmpty && failure === undefined ? empty : notes.join(' · ')}</span>
      </figcaption>
      {!isEmpty && <TableDetails table={table} />}
    </figure>
  )
}

/** Renders the table only when opened, so that charts with thousands of points stay fast. */
function TableDetails({ table }: { table: ChartTable }) {
  const { views } = words.value
  const [isOpen, setOpen] = useState(false)
  const rows = Math.min(table.length, MOST_ROWS)
  return (
    <details class="chart-table" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{views.asTable}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        <section class="table-box" tabIndex={0} aria-label={views.asTable}>
          <table class="schema">
            <thead>
              <tr>
                {table.headings.map((heading) => (
                  <th key={heading} scope="col">
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows(MOST_ROWS).map((cells, index) => (
                <tr key={index}>
                  {cells.map((cell, column) => (
                    <td key={column}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {isOpen && rows < table.length && <p class="soft">{views.shown(count(rows), count(table.length))}</p>}
    </details>
  )
}
