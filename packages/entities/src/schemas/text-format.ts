/** Detects the string formats that queries do not treat as plain text. */
import { instantOf, isDay } from '@worldwright/core/store'

/** JSON Schema format: `date` for a calendar day, `date-time` for an instant with a UTC offset. */
export type TextFormat = 'date' | 'date-time'

/** Returns the format of `text`, or undefined if it is neither a date nor an instant. A leap second is not an instant. */
export function textFormat(text: string): TextFormat | undefined {
  if (isDay(text)) return 'date'
  return instantOf(text) === undefined ? undefined : 'date-time'
}
