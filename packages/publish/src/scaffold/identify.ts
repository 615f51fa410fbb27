/** Chooses the id column or a substitute for it, and gives reasons for the choice. */
import type { LikelyEncoding } from '../bytes/encoding.ts'
import type { Mapping } from '../mapping/row-mapper.ts'
import { isIdName, isQuantityName, wordsOf } from './names.ts'
import { type Column, LONGEST_ID, type Survey } from './survey.ts'
import type { ScaffoldTable } from './tables.ts'

/** Id of a source's entities, and the reasons for choosing it. */
export interface Identity {
  readonly id: NonNullable<Mapping['id']>
  /** Id column, if there is exactly one. */
  readonly column?: Column
  readonly reasons: readonly string[]
}

/** Survey of a source, with the type of its untyped records. */
export interface NamedSurvey {
  readonly table: ScaffoldTable
  /** Likely encoding of text that is not UTF-8, with a sample word. */
  readonly how: LikelyEncoding
  /** Full name of the source's type. */
  readonly type: string
  /** Name of the type without its prefix. */
  readonly name: string
  readonly survey: Survey
  readonly identity: Identity
}

/** Maximum number of other candidates named in the reasons. */
const MOST_OTHERS = 5

/** Maximum number of repeated values in a nearly unique column. */
const FEW_REPEATS = 20

/**
 * Chooses the id column, and explains the choice over other columns that look like ids. `name` is the type's name, and `key`
 * the primary key declared by the table.
 */
export function identify(survey: Survey, name: string, key: readonly string[] = []): Identity {
  const columns = [...survey.columns.values()]
  const [first, ...more] = key
  const column = first === undefined || more.length > 0 ? undefined : survey.columns.get(first)
  if (column && unfitness(column, survey) === undefined)
    return { id: column.name, column, reasons: [`The id is ${column.name}, the primary key of its table.`] }
  if (more.length > 0)
    return { id: key, reasons: [`The id is ${key.join(' and ')}, the primary key of its table.`] }
  return identified(survey, columns, name)
}

function identified(survey: Survey, columns: readonly Column[], name: string): Identity {
  const fit = columns.filter((column) => unfitness(column, survey) === undefined && isTelling(column))
  const days = columns.filter((one) => unfitness(one, survey) === undefined && isDay(one))
  const column = best(fit, name) ?? days[0]
  const reasons = columns.filter((one) => one !== column).flatMap((one) => nearMiss(one, survey))
  if (column !== undefined) {
    const named = isIdName(column.name) ? ', and it is named like an id' : ''
    const said = [`The id is ${column.name}: it is there in every record and never twice${named}.`]
    const others = fit.filter((one) => one !== column).map((one) => one.name)
    if (others.length > 0)
      said.push(`It could be another that never repeats: ${others.slice(0, MOST_OTHERS).join(', ')}.`)
    return { id: column.name, column, reasons: [...said, ...reasons] }
  }
  const several = severalColumns(columns, survey)
  if (several) {
    const names = several.map((one) => one.name)
    return {
      id: names,
      reasons: [
        `The id is ${names.join(' and ')} together: neither alone is different in every record.`,
        ...reasons,
      ],
    }
  }
  const instead =
    'No column is different in every record, so the id is the number of the row: rows that are inserted or sorted give others their ids. If that happens, say row: hash, which follows the content of the row, or name the columns that make an id.'
  return { id: { row: 'number' }, reasons: [instead, ...reasons] }
}

function best(fit: readonly Column[], name: string): Column | undefined {
  const own = (column: Column) =>
    isIdName(column.name) && wordsOf(column.name).slice(0, -1).join('-') === name
  return (
    fit.find((column) => column.name.toLowerCase() === 'id') ??
    fit.find(own) ??
    fit.find((column) => isIdName(column.name)) ??
    fit[0]
  )
}

/** Maximum length of a name in characters. Longer values are not names. */
const LONGEST_NAME = 64

/** Reports whether unique values identify records. Measures, days, URLs and long values are unique only by chance. */
function isTelling({ name, proposal, sample, longest }: Column): boolean {
  if (isIdName(name)) return true
  if (isQuantityName(name) || longest > LONGEST_NAME) return false
  if (proposal.form !== undefined || proposal.format !== undefined) return false
  if (proposal.type !== 'string' && proposal.type !== 'integer') return false
  return !sample.every((value) => /^https?:\/\/|^-?\d+\.\d+$/.test(value))
}

/** Reports whether a column contains RFC 3339 dates. In a table with one row per day, these are ids. */
function isDay({ proposal }: Column): boolean {
  return proposal.format === 'date' && proposal.form === undefined
}

/** Returns the reason why a column cannot be the id, or `undefined` if it can. */
function unfitness({ filled, repeats, longest, unfit }: Column, { records }: Survey): string | undefined {
  if (filled < records) return `records without it: ${records - filled}`
  if (repeats > 0) return `records that repeat the value of another one: ${repeats}`
  if (unfit > 0) return `values that can be no id: ${unfit}`
  return longest > LONGEST_ID ? `it has values of more than ${LONGEST_ID} characters` : undefined
}

/** Reports whether so few values are repeated that they are probably mistakes. */
function isNearlyUnique({ repeats, filled }: Column, { records }: Survey): boolean {
  const few = Math.min(FEW_REPEATS, Math.max(2, records / 10))
  return records > 3 && repeats > 0 && repeats <= few && filled === records
}

/** Returns a note on a column that is not the id although it is the first one or is named like an id. */
function nearMiss(column: Column, survey: Survey): string[] {
  const { name, repeats, repeatedAt, longest } = column
  const [first] = survey.columns.values()
  if (!isIdName(name) && column !== first) return []
  if (isNearlyUnique(column, survey) && longest <= LONGEST_ID && isTelling(column)) {
    const rows = repeats === 1 ? '1 row' : `${repeats} rows`
    const lines = repeatedAt.map((line) => `line ${line}`).join(', ')
    const more = repeats > repeatedAt.length ? ', …' : ''
    const mended = repeats === 1 ? 'if it is mended' : 'if they are mended'
    return [`${name} is unique but for ${rows} (${lines}${more}): ${mended}, ${name} can be the id.`]
  }
  const why = unfitness(column, survey)
  return why !== undefined && isIdName(name) ? [`${name} is not the id: ${why}.`] : []
}

/** Finds two columns that are named like ids and are unique only in combination, as in a join table. */
function severalColumns(columns: readonly Column[], survey: Survey): [Column, Column] | undefined {
  const { records, rows } = survey
  const parts = columns.filter(
    (column) =>
      isIdName(column.name) &&
      column.filled === records &&
      column.unfit + column.padded === 0 &&
      !isNearlyUnique(column, survey),
  )
  if (rows === undefined) return undefined
  for (const [at, first] of parts.entries())
    for (const second of parts.slice(at + 1)) {
      const ids = rows.map((row) => `${row[first.name]}-${row[second.name]}`)
      if (new Set(ids).size === records && ids.every((id) => id.length <= LONGEST_ID)) return [first, second]
    }
  return undefined
}
