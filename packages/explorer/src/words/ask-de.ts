/** What asking precisely says, in German: filters, conditions, what points here. */
import type { ASK_EN } from './ask-en.ts'
import { pluralIn } from './plural.ts'

const plural = pluralIn<'one'>('de')

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
  shares: 'Prozente sind von denen, die einen Wert haben.',
  other: 'Ein anderer Wert',
  otherValue: (label) => `${label}: ein anderer Wert`,
  nothing: 'Zu diesen Filtern passt nichts.',
  words: (text) => `„${text}“`,
  condition: 'Bedingung in CQL2',
  apply: 'Anwenden',
  refine: 'Diese filtern, sortieren und zählen',
  nearestTo: (place) => `Am nächsten bei ${place}`,
  nearLabel: 'Am nächsten bei: Breite, Länge',
  nearWrong: 'Zwei Zahlen in Grad, etwa 48.86, 2.35',
  nearestHere: 'Was ihm am nächsten ist',
  order: 'Reihenfolge',
  byId: 'nach Id',
  distance: 'Entfernung',
  nearest: 'das Nächste zuerst',
  newest: (date) => `${date}: neueste zuerst`,
  upwards: (label) => `${label} ↑`,
  downwards: (label) => `${label} ↓`,
  pointsHere: 'Was hierher zeigt',
  by: (type, property) => `${type}, in „${property}“`,
  all: (count) => plural(count, { one: 'In der Liste zeigen', other: `Alle ${count} zeigen` }),
}
