/** Recognizes the layout of a table by evidence that data cannot give. A row that may be a record stays one. */
import type { FileOptions, FileRow, FormatOptions, MergedCells } from '../formats/contract/format.ts'
import { joinedNames } from '../formats/layout/layout.ts'

/** Maximum number of records of a table in which totals and notes are recognized. */
const MAX_ROWS = 50_000
/** Relative error of a sum of decimals as doubles. */
const ROUNDING = 1e-9

/** First filled cell of totals. */
const TOTAL = /^(?:(?:grand |sub-?)?total|sum|totaal|totale|gesamt|insgesamt|summe|suma|somme):?$/i
/** Beginning of a note below a table. */
const NOTE = /^(?:\*|©|(?:sources?|notes?|quellen?|anmerkung(?:en)?|hinweise?|fuentes?|notas?|stand)\s*:)/i
/** Maximum length of a record's only cell, in characters, if it begins like a note. */
const LONGEST_CELL = 80
/** A number, also with a sign or unit, a date, or a time. */
const FIGURE = /^(?:[^\p{L}]*\d[^\p{L}]*\p{L}{0,3}|[-+]?[\d.,]+e[-+]?\d+|\d{4}-\d\d-\d\dT.*)$/iu

/**
 * Watches the rows of a table with one header row. Proposes its layout, if not plain, and says how sure that is. A sample does
 * not tell where its table ends.
 */
export function watchLayout(isSampled = false) {
  const records: FileRow[] = []
  let header: FileRow | undefined
  let merged: readonly MergedCells[] = []
  let hasTitles = false
  const onRow: FormatOptions['onRow'] = (row, part) => {
    if (part === 'out') hasTitles = true
    else if (part === 'header') header = row
    else if (records.length <= MAX_ROWS) records.push(row)
  }
  const onMerged = (cells: readonly MergedCells[]) => {
    merged = cells
  }
  const proposal = () => {
    const [at, two] = [header?.number ?? 0, header && twoRows([header, ...records], merged)]
    const title = `The header is row ${at} (likely: rows above it have a single cell).`
    const one: Found | [] = hasTitles ? [{ header: at }, title] : []
    const rows = two ? records.slice(1) : records
    const found = [two ?? one, lostRecord(header), isSampled ? [] : footer(rows, header?.texts.length ?? 0)]
    const layout: Partial<FileOptions> = Object.assign({}, ...found.map(([members]) => members))
    return { layout, said: found.flatMap(([, said]) => said ?? []) }
  }
  return { onRow, onMerged, proposal }
}

type Found = readonly [layout: Partial<FileOptions>, said: string]

/** Returns a note on a header whose names are mostly figures, as in a table without one. Ascending years are names. */
function lostRecord(header: FileRow | undefined): Found | [] {
  const names = header ? filledIn(header) : []
  const figures = names.filter((text) => FIGURE.test(text))
  const isAscending = figures.every((text, at) => at === 0 || Number(text) > Number(figures[at - 1]))
  if (figures.length <= names.length / 2 || isAscending) return []
  return [
    {},
    `Row ${header?.number} is the header, but looks like a record. If it is one, add a header above it.`,
  ]
}

/** Returns the header over the first two rows, unless the second may be a record. */
function twoRows([upper, lower, ...below]: FileRow[], merged: readonly MergedCells[]): Found | undefined {
  if (!upper || !lower) return undefined
  const names = joinedNames([upper, lower])
  const gaps = [...names.keys()].filter((at) => !textAt(upper, at) && names[at] !== textAt(lower, at))
  const areMerged = gaps.every((at) =>
    merged.some(([row, left, right]) => row === upper.number && left < at && at <= right),
  )
  if (merged.length > 0 ? !areMerged || gaps.length < 1 : gaps.length < 2) return undefined
  if (names.includes('') || new Set(names).size < names.length) return undefined
  if (filledIn(lower).some((text) => FIGURE.test(text) || !/\p{L}/u.test(text))) return undefined
  const cells = gaps.map((at) => below.flatMap((row) => textAt(row, at) || []))
  if (cells.some((texts) => texts.length < 2 || !texts.every((text) => FIGURE.test(text)))) return undefined
  const sure = merged.length > 0 ? 'certain: its cells are merged' : 'likely: the second fills gaps'
  const header = [upper.number, lower.number] as const
  return [{ header }, `The header is rows ${header.join(' and ')} (${sure}).`]
}

/** Returns the end of a table above totals, if they are a sum, or above notes. Other totals are only named. */
function footer(records: readonly FileRow[], width: number): Found | [] {
  if (records.length > MAX_ROWS) return []
  const end = records.findLastIndex((row) => filledIn(row).length !== 1) + 1
  const [note] = width < 3 ? [] : records.slice(end)
  const total = note ? records[end - 1] : records.at(-1)
  const says = (row: FileRow) => `row ${row.number}, which says ${JSON.stringify(filledIn(row)[0])}`
  const [label = ''] = total ? filledIn(total) : []
  if (total && TOTAL.test(label)) {
    const totals = records.filter(({ texts }) => texts.some((text) => TOTAL.test(text.trim())))
    if (totals.length === 1 && total.texts.some((_, at) => isSum(total, at, records)))
      return [{ until: label }, `The table ends at ${says(total)} (certain: it has the sum of a column).`]
    return [{}, `No row is left out below. If ${says(total)}, is no record, say until: or except:.`]
  }
  const isBelowGap = note !== undefined && note === records.find((row, at) => at > 0 && row.isAfterGap)
  const [text = ''] = note ? filledIn(note) : []
  if (!note || !NOTE.test(text)) return []
  if (!isBelowGap && text.length > LONGEST_CELL)
    return [{ until: text }, `The table ends above ${says(note)} (likely: a long note in its only cell).`]
  if (!isBelowGap) return []
  return [{ until: '' }, `The table ends above ${says(note)} (likely: a note below an empty row).`]
}

/** Reports whether a cell is the sum of the others of its column, of which there are at least two. */
function isSum(total: FileRow, at: number, records: readonly FileRow[]): boolean {
  const others = records.flatMap((row) => (row === total ? [] : textAt(row, at) || [])).map(numbersIn)
  return numbersIn(textAt(total, at)).some((sum, notation) => {
    const error = others.reduce((rest, numbers) => rest - (numbers[notation] ?? 0), sum)
    return others.length > 1 && sum !== 0 && Math.abs(error) <= ROUNDING * Math.abs(sum)
  })
}

/** Returns the number in a text if decimals have a point, and if they have a comma; NaN if there is none. */
function numbersIn(text: string): number[] {
  const digits = /^\D{0,4}?([-+]?\d[\d.,'\s]*)\D{0,4}$/.exec(text)?.[1] ?? 'none'
  return [digits.replace(/[,'\s]/g, ''), digits.replace(/[.'\s]/g, '').replace(',', '.')].map(Number)
}

function textAt({ texts }: FileRow, at: number): string {
  return texts[at]?.trim() ?? ''
}

function filledIn({ texts }: FileRow): string[] {
  return texts.flatMap((text) => text.trim() || [])
}
