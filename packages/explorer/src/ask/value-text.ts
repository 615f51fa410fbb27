/** Formats property values and filters for display. */

import type { Filter } from '@worldwright/extensions/views'
import { locale } from '../navigation/settings.ts'
import type { Askable } from '../question/askable.ts'
import { digits, roughly, timeWords, unitAfter, words } from '../words/words.ts'

/** Formats a value of a property for display, without its unit. Numbers have all their digits. */
export function valueText(value: string, { kind, field }: Pick<Askable, 'kind' | 'field'>): string {
  const { app } = words.value
  if (kind === 'boolean') return value === 'true' ? app.yes : app.no
  if (kind === 'number' && value !== '' && Number.isFinite(Number(value)))
    return digits(Number(value), field.isGrouped)
  return timeWords(value) ?? value
}

/** Formats the minimum or the maximum of a property's values, without its unit. Numbers are rounded. */
export function extremeText(value: number | string = '', askable: Pick<Askable, 'kind' | 'field'>): string {
  return typeof value === 'number' ? roughly(value, askable.field.isGrouped) : valueText(value, askable)
}

/** Formats the range of a filter, such as `1 – 10 km` or `≥ 1 km`. */
export function rangeText(range: Extract<Filter, { is: 'range' }>, askable: Askable): string {
  const { from, to, isBelow } = range
  const unit = unitAfter(askable.field)
  const below = isBelow ? '<' : '≤'
  if (to === '') return `≥ ${valueText(from, askable)}${unit}`
  if (from === '') return `${below} ${valueText(to, askable)}${unit}`
  return `${valueText(from, askable)} – ${isBelow ? '< ' : ''}${valueText(to, askable)}${unit}`
}

/** Formats `part` as a share of `all`, such as `26%`. Returns an empty string if `all` is zero. */
export function shareText(part: number, all: number): string {
  if (all <= 0) return ''
  const share = Math.min(1, part / all)
  const digits = share < 0.01 ? { maximumSignificantDigits: 1 } : { maximumFractionDigits: 0 }
  return new Intl.NumberFormat(locale.value, { style: 'percent', ...digits }).format(share)
}
