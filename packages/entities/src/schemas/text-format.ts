/** String formats that a schema learns: those that queries do not compare as plain text. */
import { instantOf, isDay } from '@worldwright/core/store'

/** Format of a string that is a calendar day, or an instant with its UTC offset, as JSON Schema names it. */
export type TextFormat = 'date' | 'date-time'

/** Returns the format of a string; undefined for any other string, leap seconds included. */
export function textFormat(text: string): TextFormat | undefined {
  if (isDay(text)) return 'date'
  return instantOf(text) === undefined ? undefined : 'date-time'
}
