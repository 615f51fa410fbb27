/** Reads numbers and years of a question, and makes conditions of them. */

import type { Filter } from '@worldwright/extensions/views'
import { fold, UNIT_NAMES } from '@worldwright/search/lexicon'
import { type Askable, isMeasured } from '../question/askable.ts'
import type { Measure } from '../question/measures.ts'
import type { Word } from './schema-words.ts'

/** First and last number meant by a word: the same one, unless the word is a decade such as `1990s`. */
export type Span = readonly [number, number]

/** Reads a number and the unit in the same word. `1.000` and `1,000` are one or a thousand, by the language: neither. */
export function amountFrom(word: Word | undefined): { span: Span; unit: string } | undefined {
  const [, text = '', unit = ''] = /^(-?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?)(\D*)$/i.exec(word?.raw ?? '') ?? []
  const value = Number(text.replace(',', '.'))
  if (text === '' || /[.,]\d{3}$/.test(text) || !Number.isFinite(value)) return undefined
  return { span: [value, value], unit: fold(unit) }
}

/** Reads a year from 1000 to 2999, or a decade. `1800s` may be a decade or a century: neither. */
export function yearsFrom(word: Word | undefined): Span | undefined {
  const [, text, decade] = /^([12]\d{3})(s|er|ern)?$/.exec(word?.raw ?? '') ?? []
  if (text === undefined) return undefined
  if (decade === undefined) return [Number(text), Number(text)]
  return /[1-9]0$/.test(text) ? [Number(text), Number(text) + 9] : undefined
}

/**
 * Returns how many of the words are the unit of a property: 0 if there is no unit, or undefined if there is another one than the
 * values have. Units are never converted.
 */
export function unitLength(
  words: readonly string[],
  { field }: Askable,
  askables: readonly Askable[],
): number | undefined {
  const own = fold(field.unit ?? '')
  const units = askables.map((one) => fold(one.field.unit ?? ''))
  for (const length of [2, 1]) {
    const text = words.slice(0, length).join('')
    if (own !== '' && [text, ...(UNIT_NAMES.get(text) ?? [])].includes(own)) return length
    if (text !== '' && (UNIT_NAMES.has(text) || units.includes(text))) return undefined
  }
  return 0
}

/** Reports whether a property is a number that can be compared, and not a year. */
export function isAmount(askable: Askable): boolean {
  return askable.kind === 'number' && isMeasured(askable) && !askable.field.isYear
}

/** A condition as a filter, or in CQL2-Text if no filter expresses it. */
export type Condition = { readonly filter: Filter } | { readonly cql: string }

/** Returns the condition that a word such as `over`, followed by one or two numbers, means. Undefined for other words. */
export function conditionFrom(
  { key, kind, isWhole }: Measure,
  role: string,
  [low, high]: Span,
  second: Span | undefined,
): Condition | undefined {
  const isOver = role === 'over' || role === 'after'
  const isUnder = role === 'under' || role === 'before'
  const isFrom = isOver || role === 'least' || role === 'since' || role === 'orLater'
  const isTo = isUnder || role === 'most' || role === 'until' || role === 'orEarlier'
  const isRange = role === 'between' || role === 'in'
  if (!(isFrom || isTo || isRange) || (role === 'between' && second === undefined)) return undefined
  const isStep = kind !== 'number' || (isWhole && Number.isSafeInteger(low))
  const from = isFrom ? (isOver ? high + Number(isStep) : low) : isTo ? undefined : low
  const to = isTo ? (isUnder ? low - Number(isStep) : high) : isFrom ? undefined : (second?.[1] ?? high)
  if (from !== undefined && to !== undefined && from > to) return undefined
  // No filter excludes its lower bound.
  if (isOver && !isStep) return /^[A-Za-z_]\w*$/.test(key) ? { cql: `${key} > ${high}` } : undefined
  const text = (bound: number | undefined, day: string) =>
    bound === undefined ? '' : kind === 'number' || kind === 'year' ? String(bound) : `${bound}${day}`
  if (kind === 'instant') {
    const ends = { from: text(from, START), to: text(to === undefined ? to : to + 1, START) }
    return { filter: { is: 'range', key, ...ends, ...(to !== undefined && { isBelow: true }) } }
  }
  const ends = { from: text(from, '-01-01'), to: text(to, '-12-31') }
  return { filter: { is: 'range', key, ...ends, ...(isUnder && !isStep && { isBelow: true }) } }
}

const START = '-01-01T00:00:00Z'
