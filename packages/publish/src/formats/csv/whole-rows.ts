import { type CsvError, type Info, parse } from 'csv-parse/sync'
import type { FormatOptions, WholeRecords } from '../contract/format.ts'
import { shapeOf, type TableShape } from './table-shape.ts'

/** Number of bytes sampled to detect the delimiter and quote. */
const SHAPE_BYTES = 64 * 1024

/**
 * Returns a function that finds the whole rows in pieces of a table, the first of which is its beginning. Any other is read as
 * if it began outside quotes, and as if inside. Its rows are known only if one reading alone makes rows of the table's width
 * without a broken quote, or if both begin with the same row.
 */
export function wholeRows(head: Buffer, options: FormatOptions): WholeRecords {
  const shape = shapeOf(head.toString('utf8', 0, SHAPE_BYTES), options)
  let width = 0
  return (piece) => {
    if (width === 0) {
      const { rows } = rowsIn(piece, shape, true)
      width = rows.at(-2)?.width ?? 1
      return [0, rows.at(-2)?.end ?? 0]
    }
    const line = piece.indexOf(0x0a) + 1
    const outside = rowsIn(piece.subarray(line), shape)
    const inside = rowsIn(Buffer.concat([Buffer.from(shape.quote), piece]), shape)
    // The first row inside quotes has lost its beginning.
    const [cut, ...rows] = inside.rows
    const found = [
      ...(isTable(outside, width) ? [[line, line + (outside.rows.at(-2)?.end ?? 0)] as const] : []),
      ...(cut && isTable({ ...inside, rows }, width)
        ? [[cut.end - 1, (rows.at(-2)?.end ?? 0) - 1] as const]
        : []),
    ]
    const [one, other = one] = found
    return one?.[0] === other?.[0] ? one : undefined
  }
}

/** Reports whether a reading makes several rows, all of one width but perhaps for the last, which may be cut off. */
function isTable({ rows, isBroken }: ReturnType<typeof rowsIn>, width: number): boolean {
  return !isBroken && width > 1 && rows.length > 2 && rows.slice(0, -1).every((row) => row.width === width)
}

/** Returns the rows of a piece, each with its number of cells and its end in bytes. Skips broken ones, or ends at the first. */
function rowsIn(piece: Buffer, { delimiter, quote, trim }: TableShape, skipsBroken = false) {
  const rows: { readonly width: number; readonly end: number }[] = []
  let isBroken = false
  const on_record = (record: readonly string[], { bytes }: Info) => {
    rows.push({ width: record.length, end: bytes })
    return null
  }
  try {
    const how = { relax_column_count: true, skip_records_with_error: skipsBroken }
    parse(piece, { delimiter, quote, trim, ...how, on_record })
  } catch (error) {
    // A cell at the end of the piece may be cut off.
    isBroken = (error as CsvError).code !== 'CSV_QUOTE_NOT_CLOSED'
  }
  return { rows, isBroken }
}
