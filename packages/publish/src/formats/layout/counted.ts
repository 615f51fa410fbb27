/** Notes on rows and columns that a reader leaves out. */

/** Maximum number of names in a note. */
const MOST_NAMED = 10

/** Returns ascending row numbers as ranges, such as `4-6`. */
export function rangesOf(rows: readonly number[]): string[] {
  const ranges: [first: number, last: number][] = []
  for (const row of rows) {
    const range = ranges.at(-1)
    if (range?.[1] === row - 1) range[1] = row
    else ranges.push([row, row])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
}

/** Returns a number of things with their first names, such as `2 columns (cost, D)`. */
export function counted(what: string, count: number, names: readonly string[]): string {
  const shown = `${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ', …' : ''}`
  return `${count} ${what}${count === 1 ? '' : 's'}${count === 0 ? '' : ` (${shown})`}`
}
