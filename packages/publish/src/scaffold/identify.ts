/** Chooses the id column or a substitute for it, and gives reasons for the choice. */
import type { LikelyEncoding } from '../bytes/encoding.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { isDay, isRepeating, isTimeline, keyPair, MADE_UP_NAME, whyNoKey } from './keys.ts'
import { isIdName, titleRank, wordsOf } from './names.ts'
import { type Column, LONGEST_ID, type Survey } from './survey.ts'
import type { ScaffoldTable } from './tables.ts'

/** Id of a source's entities, and the reasons for choosing it. */
export interface Identity {
  readonly id: NonNullable<Mapping['id']>
  /** Id column, if there is exactly one. */
  readonly column?: Column
  /** Id columns, if there are two. */
  readonly parts?: readonly Column[]
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

/** Returns the surveys of the types of a source: one for each if its records name several, or the survey itself. */
export function surveysByType(one: NamedSurvey): NamedSurvey[] {
  if (!one.survey.typed || one.survey.byType.size < 2) return [one]
  return [...one.survey.byType].map(([type, survey]) => {
    const column = survey.columns.get('id')
    const isKey = column && unfitness(column, survey) === undefined
    const identity: Identity = { id: 'id', ...(isKey && { column }), reasons: [] }
    return { ...one, type, name: type.slice(type.indexOf(':') + 1), survey, identity }
  })
}

/** Maximum number of other candidates named in the reasons. */
const MOST_OTHERS = 5

/** Maximum number of notes on columns that are not the id, if no column is. */
const MOST_REASONS = 8

/** Maximum number of repeated and missing values in a nearly unique column. */
const FEW = 20

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
  const near = columns.some((column) => isIdName(column.name) && isNearlyUnique(column, survey))
  const fit = columns
    .filter((column) => unfitness(column, survey) === undefined && whyNoKey(column) === undefined)
    // A text is different in every record by chance, if a number that should be so has a gap.
    .filter((column) => !near || isIdName(column.name) || MADE_UP_NAME.test(column.name))
    .toSorted((a, b) => rankOf(a, name, columns) - rankOf(b, name, columns))
  const named = fit.filter((column) => !MADE_UP_NAME.test(column.name))
  const several = named.length > 0 ? undefined : keyPair(columns.filter(isPart(survey)), survey.rows)
  const [column] = several ? [] : [...named, ...fit]
  const others = columns.filter((one) => one !== column && several?.includes(one) !== true)
  const against = others.flatMap((one) => nearMiss(one, survey, column !== undefined))
  const reasons = column ? against : against.slice(0, MOST_REASONS)
  if (column !== undefined) {
    const like = isIdName(column.name) ? ', and it is named like an id' : ''
    const said = [`The id is ${column.name}: it is there in every record and never twice${like}.`]
    const rest = named.filter((one) => one !== column).map((one) => one.name)
    if (rest.length > 0)
      said.push(`It could be another that never repeats: ${rest.slice(0, MOST_OTHERS).join(', ')}.`)
    return { id: column.name, column, reasons: [...said, ...reasons] }
  }
  if (several) {
    const names = several.map((one) => one.name)
    const together = `The id is ${names.join(' and ')} together: neither alone is different in every record.`
    return { id: names, parts: several, reasons: [together, ...reasons] }
  }
  const none =
    'No column is different in every record and a name, a code or a key by its meaning, so the id is'
  const number = `${none} the number of the row: rows that are inserted or sorted give others their ids. If that happens, say row: hash, which follows the content of the row, or name the columns that make an id.`
  if (survey.ordered) return { id: { row: 'number' }, reasons: [number, ...reasons] }
  const hash = `${none} a digest of the row, as a database keeps no order: a row that changes becomes another entity. Name the columns that make an id, if there are any.`
  return { id: { row: 'hash' }, reasons: [hash, ...reasons] }
}

/** Names of numbers that follow an order, which changes when records are added. */
const RANKS = /^(?:#|rank|rang|pos|position|place|platz|index|order|row|zeile)$/i

/** Returns the rank of an id column, 0 being best: ids by name, codes and numbers, names, other texts, dates. */
function rankOf(column: Column, type: string, columns: readonly Column[]): number {
  const { name, sample } = column
  if (name.toLowerCase() === 'id') return 0
  if (isIdName(name)) return wordsOf(name).slice(0, -1).join('-') === type ? 1 : 2
  if (isDay(column) || isTimeline(column)) return 6
  if (RANKS.test(name)) return 5
  if (sample.every((value) => /^[\p{Lu}\d][\p{Lu}\d._/-]{0,19}$/u.test(value)) || isOfOneLength(sample))
    return 3
  return titleRank(name) !== undefined || column === columns[0] ? 4 : 5
}

/** Maximum length of short codes in characters, such as those of languages. */
const LONGEST_CODE = 8

/** Reports whether texts are short, of small letters and equally long, as codes are and words are not. */
function isOfOneLength(sample: readonly string[]): boolean {
  const { length = 0 } = sample[0] ?? ''
  if (length > LONGEST_CODE || sample.length <= LONGEST_CODE) return false
  return sample.every((text) => text.length === length && /^[\p{Ll}\d]+$/u.test(text))
}

/** Returns the reason why a column cannot be the id, with the first lines that show it, or `undefined` if it can. */
function unfitness(column: Column, { records }: Survey): string | undefined {
  const { repeats, repeatedAt, emptyAt, longest, unfit } = column
  const without = missingIn(column, records)
  if (without > 0) return `records without it: ${without}${linesOf(emptyAt, without)}`
  if (repeats > 0) {
    const many = Number.isFinite(repeats) && !isRepeating(column) ? String(repeats) : 'many'
    return `records that repeat the value of another one: ${many}${linesOf(repeatedAt, repeats)}`
  }
  if (unfit > 0) return `values that can be no id: ${unfit}`
  return longest > LONGEST_ID ? `it has values of more than ${LONGEST_ID} characters` : undefined
}

function linesOf(lines: readonly number[], total: number): string {
  if (lines.length === 0) return ''
  return ` (${lines.map((line) => `line ${line}`).join(', ')}${total > lines.length ? ', …' : ''})`
}

/** Returns the number of records without a value in the column. A placeholder is no value, unless most values look like it. */
function missingIn({ filled, gaps, placeholders, values }: Column, records: number): number {
  const shaped = (text: string) => text.replace(/\p{Lu}/gu, 'A').replace(/\p{Ll}/gu, 'a')
  const isAlike = (text: string) =>
    [...values].filter((value) => shaped(value) === shaped(text)).length > values.size / 2
  const unlike = gaps.size > 0 ? [] : [...placeholders].filter((text) => !isAlike(text))
  return [...gaps.values()].reduce((sum, cells) => sum + cells, records - filled + unlike.length)
}

/** Reports whether so few values are missing or repeated that they are probably mistakes. */
function isNearlyUnique(column: Column, { records }: Survey): boolean {
  const few = column.repeats + missingIn(column, records)
  return records > 3 && few > 0 && few <= Math.min(FEW, Math.max(2, records / 10))
}

/** Returns a note on a column that is not the id although it seems fit for one. `isFound` is set if another column is. */
function nearMiss(column: Column, survey: Survey, isFound: boolean): string[] {
  const { name, repeats, repeatedAt, emptyAt } = column
  const isFirst = column === survey.columns.values().next().value
  const why = unfitness(column, survey)
  const wrong = whyNoKey(column)
  const isLikely = isIdName(name) || (wrong === undefined && (isFirst || titleRank(name) !== undefined))
  if (isLikely && isNearlyUnique(column, survey) && column.longest <= LONGEST_ID) {
    const few = repeats + missingIn(column, survey.records)
    const rows = few === 1 ? '1 row' : `${few} rows`
    const lines = linesOf([...repeatedAt, ...emptyAt].slice(0, 3), few)
    const mended = few === 1 ? 'if it is mended' : 'if they are mended'
    const is = repeats === 0 ? 'is there and unique' : 'is unique'
    return [`${name} ${is} but for ${rows}${lines}: ${mended}, ${name} can be the id.`]
  }
  if (why !== undefined)
    return isIdName(name) || (isLikely && !isFound) ? [`${name} is not the id: ${why}.`] : []
  return isFound || wrong === undefined ? [] : [`${name} is not the id, though it never repeats: ${wrong}.`]
}

/** Returns the test for columns that can be part of an id of two: filled, and repeated. */
function isPart(survey: Survey): (column: Column) => boolean {
  return (column) =>
    missingIn(column, survey.records) === 0 &&
    column.repeats > 0 &&
    column.unfit + column.padded === 0 &&
    !isNearlyUnique(column, survey)
}
