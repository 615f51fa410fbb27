/** Chooses what a share image shows of a view: of its rows, or of its groups. */
import { type ImageContent, type MapPoint, MOST_BARS } from './content.ts'

/** A value as the view shows it, with its number if it is one. */
export interface ViewValue {
  readonly shown: string
  readonly number?: number | undefined
}

/** An entity or a group of a view. */
export interface ViewRow {
  readonly label: string
  /** Values of the columns, in their order. */
  readonly values: readonly ViewValue[]
  /** Location on the Earth. Absent for locations elsewhere, which the map does not show. */
  readonly point?: MapPoint | undefined
}

/** Rows of a view in their order, with their columns. */
export interface ViewTable {
  /** Label of the column of row labels. */
  readonly label: string
  /** Labels of the other columns. */
  readonly columns: readonly string[]
  readonly rows: readonly ViewRow[]
  /**
   * Index in `columns` of the numbers that bars show: the measure of groups, or the order of a view that begins with the
   * largest. Absent for other orders, as their first rows say nothing about the rest.
   */
  readonly measure?: number | undefined
}

/** Share of rows that must have a location for a map. */
const MOSTLY = 0.5

/** Returns bars if there is a measure of at least 0 in every bar, else a map if most rows have a location, else a table. */
export function viewContent({ label, columns, rows, measure }: ViewTable): ImageContent | undefined {
  if (rows.length === 0) return undefined
  const bars = rows.slice(0, MOST_BARS).flatMap((row) => {
    const { shown = '', number = Number.NaN } = row.values[measure ?? -1] ?? {}
    return number >= 0 && number < Infinity ? [{ label: row.label, value: number, shown }] : []
  })
  if (bars.length === Math.min(rows.length, MOST_BARS)) return { kind: 'bars', bars }
  const points = rows.flatMap(({ point }) => point ?? [])
  if (points.length > rows.length * MOSTLY) return { kind: 'map', points }
  return {
    kind: 'table',
    columns: [label, ...columns],
    rows: rows.map((row) => [row.label, ...row.values.map(({ shown }) => shown)]),
  }
}
