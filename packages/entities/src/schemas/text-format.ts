/** The formats of texts that a schema learns: those that a query compares otherwise than texts. */
import { instantOf, isDay } from '@worldwright/core/store'

/** What texts are that stand for a day of the calendar, or for a moment with its offset, as JSON Schema names it. */
export type TextFormat = 'date' | 'date-time'

/** What a text is; undefined for any other, leap seconds included. */
export function textFormat(text: string): TextFormat | undefined {
  if (isDay(text)) return 'date'
  return instantOf(text) === undefined ? undefined : 'date-time'
}
