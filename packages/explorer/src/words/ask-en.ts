/** What asking precisely says, in English: filters, conditions, what points here. */
import { type Count, pluralIn } from './plural.ts'

const plural = pluralIn<'one'>('en')

/** The words of filters. Texts that hold a number or a name are functions. */
export const ASK_EN = {
  filters: 'Filters',
  from: 'from',
  to: 'to',
  or: 'or',
  remove: 'Remove the filter',
  clear: 'Remove all filters',
  histogram: (label: string, from: string, to: string) =>
    `${label}: how many there are from ${from} to ${to}`,
  noValues: 'No values',
  moreValues: 'These are the most frequent.',
  shares: 'Percentages are of those that have a value.',
  other: 'Another value',
  otherValue: (label: string) => `${label}: another value`,
  nothing: 'Nothing fits these filters.',
  words: (text: string) => `“${text}”`,
  condition: 'Condition, in CQL2',
  apply: 'Apply',
  refine: 'Filter, sort and count these',
  nearestTo: (place: string) => `Nearest to ${place}`,
  nearLabel: 'Nearest to: latitude, longitude',
  nearWrong: 'Two numbers of degrees, such as 48.86, 2.35',
  nearestHere: 'Nearest to it',
  order: 'Order',
  byId: 'by id',
  distance: 'Distance',
  nearest: 'nearest first',
  newest: (date: string) => `${date}: newest first`,
  upwards: (label: string) => `${label} ↑`,
  downwards: (label: string) => `${label} ↓`,
  pointsHere: 'What points here',
  by: (type: string, property: string) => `${type}, in “${property}”`,
  all: (count: Count) => plural(count, { one: 'Show it in the list', other: `Show all ${count}` }),
}
