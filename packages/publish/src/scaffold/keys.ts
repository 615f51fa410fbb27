/** Tells keys, which identify records by their meaning, from values that are different only by chance. */
import type { JsonObject } from '@worldwright/client/protocol'
import { isIdName, isPartialName, isQuantityName, isYearName } from './names.ts'
import { COMPACT_DATE } from './propose-form.ts'
import { type Column, LONGEST_ID, MOST_REPEATS } from './survey.ts'

/** Maximum length of a name in characters. Longer values are not names. */
const LONGEST_NAME = 64

/** Matches names that programs give to a column without one, which usually holds the number of the row. */
export const MADE_UP_NAME = /^(?:column \d+|rownames|row_?names|unnamed: \d+)$/i

/** Reports whether a column contains dates as 2024-02-29 or 20240229. In a table with one row per day, these are ids. */
export function isDay({ proposal, isText, sample }: Column): boolean {
  if (proposal.form?.date === COMPACT_DATE) return true
  return proposal.form === undefined && isText && sample.every((value) => /^\d{4}-\d\d-\d\d$/.test(value))
}

/** Minimum number of years in a time series. Fewer may ascend by chance. */
const MANY_YEARS = 10

/** Reports whether a column holds ascending years, as in a table with one row per year. */
export function isTimeline(column: Column): boolean {
  const { name, sample } = column
  return isYearName(name) && isYear(column) && sample.length >= MANY_YEARS && isSequence(sample.map(Number))
}

/** Reports whether a column has too many repeated values to count them. */
export function isRepeating({ repeats }: Column): boolean {
  return repeats > MOST_REPEATS
}

/** Returns the reason why values identify no record even if all are different, or undefined if they do. */
export function whyNoKey(column: Column): string | undefined {
  const { name, proposal, sample, longest } = column
  if (proposal.type === 'number') return 'it is a measure'
  if (isIdName(name) || isDay(column)) return undefined
  if (isTimeline(column)) return undefined
  if (isYear(column)) return 'it is a year'
  if (isQuantityName(name) || isMostly(sample, /^[-+]?\d+[.,]\d+$/)) return 'it is a measure'
  if (proposal.form !== undefined || proposal.format !== undefined || proposal.note !== undefined)
    return 'it is no name, code or number'
  if (isWhole(column)) return isSequence(sample.map(Number)) ? undefined : 'it seems to be a measure'
  if (proposal.type === 'boolean') return 'it is true or false'
  if (longest > LONGEST_NAME || isMostly(sample, /^https?:\/\//)) return 'its texts are long'
  return isPartialName(name) ? 'its texts are only a part or a property of what is named' : undefined
}

/** Chooses two columns of few values that make a key together: those with the fewest combinations. */
export function keyPair(
  columns: readonly Column[],
  rows: readonly JsonObject[] | undefined,
): [Column, Column] | undefined {
  if (rows === undefined) return undefined
  const parts = columns
    .map((column) => ({ column, size: new Set(rows.map((row) => row[column.name])).size }))
    .filter(({ column, size }) => isDimension(column, size, rows.length))
  const pairs = parts.flatMap((one, at) => parts.slice(at + 1).map((other) => [one, other] as const))
  const found = pairs
    .filter(([{ column: one, size }, { column: other, size: more }]) => {
      if (size * more < rows.length) return false
      const isGrid = size * more <= 1.5 * rows.length
      if (isGrid || (isIdName(one.name) && isIdName(other.name))) return true
      // Otherwise two columns of many values would be different by chance.
      return size * more <= rows.length ** 2 / 8 && ![one, other].some(isCount)
    })
    .toSorted(([a, b], [c, d]) => a.size * b.size - c.size * d.size)
    .find(([{ column: one }, { column: other }]) => {
      const ids = new Set(rows.map((row) => `${row[one.name]}-${row[other.name]}`))
      return ids.size === rows.length && [...ids].every((id) => id.length <= LONGEST_ID)
    })
  return found && [found[0].column, found[1].column]
}

/** Reports whether a column says to what a record belongs, as the country and the year of a measure do. */
function isDimension(column: Column, size: number, records: number): boolean {
  if (isIdName(column.name)) return true
  if (size < 2 || size > records / 2 || records < 4) return false
  return isCount(column) || isYear(column) || whyNoKey(column) === undefined
}

/** Reports whether a column holds whole numbers that may be a measure. */
function isCount(column: Column): boolean {
  const { name } = column
  return isWhole(column) && !isIdName(name) && !isYear(column) && !isQuantityName(name)
}

function isYear(column: Column): boolean {
  if (!isWhole(column)) return false
  return isYearName(column.name) || column.sample.every((value) => +value >= 1500 && +value <= 2100)
}

/** Reports whether values are whole numbers, written without leading zeros. */
function isWhole({ sample }: Column): boolean {
  return sample.length > 0 && sample.every((value) => /^-?(?:0|[1-9]\d{0,14})$/.test(value))
}

/** Reports whether numbers ascend from row to row with few gaps, as serial numbers do. */
function isSequence(numbers: readonly number[]): boolean {
  const [first = 0] = numbers
  const isAscending = numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0))
  return isAscending && (numbers.at(-1) ?? 0) - first < 4 * numbers.length
}

function isMostly(values: readonly string[], pattern: RegExp): boolean {
  return values.filter((value) => pattern.test(value)).length > values.length / 2
}
