/** Formats the keys and the numbers of a summary as text. */
import type { JsonValue } from '@worldwright/client'
import { isNumber } from '@worldwright/extensions/shown'
import { measureText } from '../charts/choose.tsx'
import { positionText } from '../charts/scale.ts'
import { rangeText } from '../charts/use-spread.tsx'
import { language, locale } from '../navigation/settings.ts'
import { type By, type Column, measureOf, rangeOf } from '../question/summary.ts'
import { digits, roughly, timeWords, unitAfter, words } from '../words/words.ts'

const DATE = { year: 'numeric', month: 'short', day: 'numeric' } as const
const DATES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  year: { year: 'numeric' },
  quarter: { year: 'numeric', month: 'short' },
  month: { year: 'numeric', month: 'short' },
  hour: { ...DATE, hour: '2-digit', minute: '2-digit' },
}

/** Formats a bin, such as `1990s`, `Mar 2001` or `10 – 20 km`. Returns undefined for a single value. */
export function binText(value: JsonValue, by: By): string | undefined {
  const range = rangeOf(value, by)
  const measure = measureOf(by.askable)
  if (range === undefined || measure === undefined) return undefined
  const [from, to] = range
  if (Number(by.bin) > 0) {
    if (measure.kind === 'year' && by.bin === '10' && from % 10 === 0)
      return words.value.views.decade(digits(from, false))
    return rangeText({ from, to }, measure)
  }
  // Localized dates before year 1 would need an era.
  if (!(new Date(from).getUTCFullYear() >= 1) || Number.isNaN(to)) return positionText(from, measure)
  const format = new Intl.DateTimeFormat(locale.value, { ...(DATES[by.bin] ?? DATE), timeZone: 'UTC' })
  return by.bin === 'hour' ? format.format(from) : format.formatRange(from, to - 1)
}

/** Formats the name of a kind of bin: a unit of the calendar, a width, or single values. */
export function binName({ askable }: By, bin: string): string {
  if (bin === 'value') return words.value.views.value
  if (Number(bin) > 0 && measureOf(askable)?.kind === 'year')
    return new Intl.NumberFormat(locale.value, { style: 'unit', unit: 'year', unitDisplay: 'long' }).format(
      Number(bin),
    )
  if (Number(bin) > 0) return `${digits(Number(bin))}${unitAfter(askable.field)}`
  const names = new Intl.DisplayNames(language.value, { type: 'dateTimeField' })
  return names.of(bin === 'week' ? 'weekOfYear' : bin) ?? bin
}

/** Formats a number of a group, without its unit: whole numbers in full, and others with four digits. */
export function amountText(value: JsonValue | undefined, column: Column | undefined): string {
  if (typeof value === 'string') return timeWords(value) ?? value
  if (!isNumber(value)) return '–'
  const isGrouped = column === undefined || column.op === 'distinct' || column.askable.field.isGrouped
  return roughly(Number(value), isGrouped)
}

/** Formats what is drawn of the groups: a measure, or undefined for the number of entities. */
export function columnText(column: Column | undefined): string {
  const { views } = words.value
  if (column === undefined) return views.number
  const { askable, op } = column
  return `${op === 'distinct' ? askable.field.label : measureText(askable)}: ${views.ops[op]}`
}
