/** Layout of a table: which rows of its file are header, records, or left out. */
import { SourceFault } from '../../bytes/source-fault.ts'
import type { FileRow, FormatOptions } from '../contract/format.ts'
import { counted, rangesOf } from './counted.ts'

/**
 * Yields the header of a table, with the names of all columns, and then its records. `above` is the number of rows above the
 * header, unless the options tell it. Rows that are left out are noted at the end.
 * @throws SourceFault if there is no header where the options say
 */
export async function* sortedRows<R extends FileRow>(
  rows: AsyncIterable<R>,
  { header = 0, skip = 0, until, except = {}, onRow, onNote }: FormatOptions,
  where: string,
  above: number,
  nameOf: (text: string, place: number) => string,
): AsyncGenerator<{ readonly row: R; readonly names?: readonly string[] }> {
  const heads = [header].flat()
  const isGiven = header !== 0 || skip > 0
  const end = until === '' ? 'below the first empty row' : `from ${JSON.stringify(until)} on`
  const rules = Object.entries(except).map(([column, value]) => {
    return { column, value: value.trim(), why: `whose ${column} is ${JSON.stringify(value)}` }
  })
  // A rule that leaves nothing out is reported as well, since it may be misspelled.
  const told = [...(until === undefined ? [] : [end]), ...rules.map(({ why }) => why)]
  const left = new Map<string, number[]>(told.map((why) => [why, []]))
  const top: R[] = []
  let names: readonly string[] | undefined
  let [titles, hasRecords, isOver] = [isGiven ? 0 : above, false, false]
  for await (const row of rows) {
    const { number, texts, isAfterGap } = row
    const isRead = texts.length > 0
    let why: string | undefined
    if (names === undefined) {
      if (number < (heads[top.length] || skip + 1) || (isRead && titles-- > 0)) why = 'above the header'
    } else {
      isOver ||= until
        ? texts.find((text) => text.trim())?.trim() === until.trim()
        : until === '' && isAfterGap && hasRecords
      const textIn = (column: string) => (texts[names?.indexOf(column) ?? -1] ?? '').trim()
      why = isOver ? end : rules.find(({ column, value }) => isRead && textIn(column) === value)?.why
    }
    const isHeader = names === undefined && isRead
    onRow?.(row, why !== undefined ? 'out' : isHeader ? 'header' : 'record')
    if (why !== undefined) (left.get(why) ?? left.set(why, []).get(why))?.push(number)
    else if (!isHeader) {
      hasRecords = names !== undefined
      yield { row }
    } else if (number > (heads[top.length] || number)) break
    else if (top.push(row) === heads.length) {
      names = joinedNames(top).map(nameOf)
      yield { row, names }
    }
  }
  if (names === undefined && isGiven) {
    const missing = skip > 0 ? 'below the rows of skip' : `in row ${heads[top.length]}`
    throw new SourceFault(`${where}: there is no header ${missing}. Name its row, such as header: 1.`)
  }
  const parts = [...left].map(([why, rows]) => `${counted('row', rows.length, rangesOf(rows))} ${why}`)
  if (parts.length > 0) onNote?.(`${where}: left out: ${parts.join('; ')}`)
}

/**
 * Returns the column names of a header. In a header over two rows, a name above others continues to the right; a name above
 * an empty cell is that of its column alone.
 */
export function joinedNames([upper, lower]: readonly FileRow[]): string[] {
  let group = ''
  return Array.from({ length: Math.max(upper?.texts.length ?? 0, lower?.texts.length ?? 0) }, (_, at) => {
    const [own = '', under = ''] = [upper?.texts[at]?.trim(), lower?.texts[at]?.trim()]
    if (own !== '') group = under === '' ? '' : own
    return under === '' ? own : `${group} ${under}`.trim()
  })
}
