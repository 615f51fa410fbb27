/** What asking precisely says, in German: filters, conditions, what points here. */
import type { ASK_EN } from './ask-en.ts'

/** The words of filters in German. */
export const ASK_DE: typeof ASK_EN = {
  filters: 'Filter',
  from: 'von',
  to: 'bis',
  or: 'oder',
  remove: 'Filter entfernen',
  clear: 'Alle Filter entfernen',
  histogram: (label, from, to) => `${label}: wie viele es von ${from} bis ${to} gibt`,
  noValues: 'Keine Werte',
  moreValues: 'Das sind die häufigsten.',
  nothing: 'Zu diesen Filtern passt nichts.',
  words: (text) => `„${text}“`,
  condition: 'Bedingung in CQL2',
  apply: 'Anwenden',
  refine: 'Diese filtern, sortieren und zählen',
  pointsHere: 'Was hierher zeigt',
  by: (type, property) => `${type}: ${property}`,
  all: (count) => (count === '1' ? 'In der Liste zeigen' : `Alle ${count} zeigen`),
}
