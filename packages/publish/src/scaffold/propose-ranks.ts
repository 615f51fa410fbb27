import type { Column } from './survey.ts'

/** Superlatives and the names of columns that they order by, most telling first. */
const RANKS: Readonly<Record<string, RegExp>> = {
  largest: /radius|diameter|population|\barea|size/i,
  heaviest: /mass|weight/i,
  highest: /height|elevation|altitude/i,
  longest: /length|duration|runtime/i,
  deepest: /depth/i,
  nearest: /distance/i,
  fastest: /speed|velocity/i,
  hottest: /temperature/i,
  best: /(?:rating|score)$/i,
  newest: /year|date|published|released/i,
}

/** Returns the column for each superlative, by its name. Only columns of numbers and, for `newest`, dates are chosen. */
export function proposedRanks(columns: readonly Column[]): Record<string, string> {
  const numbers = columns.filter(({ proposal: { type } }) => type === 'number' || type === 'integer')
  const dates = columns.filter(({ proposal: { format } }) => format === 'date' || format === 'date-time')
  const found = Object.entries(RANKS).flatMap(([superlative, name]) => {
    const some = superlative === 'newest' ? [...dates, ...numbers] : numbers
    const column = some.find((each) => name.test(each.name))
    return column ? [[superlative, column.name] as const] : []
  })
  return Object.fromEntries(found)
}
