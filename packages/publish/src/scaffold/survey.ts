/** What a source holds: every record is looked at, and a part of them closely. */
import { idFault, isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import type { ReadRecord } from '@worldwright/entities'
import { ENTITY_MEMBERS, isTypeName } from '@worldwright/entities'
import { SchemaInference } from '@worldwright/entities/schemas'
import type { ListedColumn } from '../formats/table/columns.ts'
import { hasDecimalComma } from './number-form.ts'
import { type ColumnProposal, fits, proposeColumn } from './propose-form.ts'

/** Records by which forms are proposed; each is then held against all of them. */
const SAMPLE = 10_000

/** Values that are remembered of all columns together, so that repeated ones are found. */
const MAX_VALUES = 3_000_000

/** After so many repeated values a column tells nothing apart. */
const MOST_REPEATS = 1_000

/** Ids may be longer, but these are the ones that every program takes. */
export const LONGEST_ID = 128

/** What was seen of one column. */
export type Column = ReturnType<typeof createColumn>

function createColumn(name: string) {
  return {
    name,
    /** Values that are there: of a table, cells with something in them. */
    filled: 0,
    /** All of them were text. */
    isText: true,
    /** Text and whole numbers of the sample. */
    sample: [] as string[],
    proposal: { type: 'string' } as ColumnProposal,
    /** A cell that the proposal does not fit, after which the column is text. */
    refutedBy: undefined as { readonly cell: string; readonly line: number } | undefined,
    /** Different values; nothing more is added once `repeats` are too many. */
    values: new Set<string>(),
    repeats: 0,
    /** Lines of the first values that repeat another one. */
    repeatedAt: [] as number[],
    /** Values that can be no id, even without the white space around them. */
    unfit: 0,
    /** Values with white space around them. */
    padded: 0,
    /** Of these, how many are nothing but white space: cut off, nothing would be left. */
    blank: 0,
    /** All of the sample had white space around them, as if a space follows every delimiter: it is cut off. */
    isTrimmed: false,
    longest: 0,
  }
}

/** What was seen of a source. */
export type Survey = ReturnType<typeof createSurvey>

function createSurvey(listed: readonly ListedColumn[]) {
  return {
    records: 0,
    /** The first of those that could not be read. */
    firstFault: undefined as { readonly line: number; readonly message: string } | undefined,
    /** Values are cells of a table: text, whose meaning is proposed. */
    cells: false,
    /** Every record names its own type. */
    typed: true,
    /** Every record is as entities are served: with `attributes`, and with no member that entities have not. */
    served: true,
    /** All records, if they are not more than the sample. */
    rows: undefined as readonly JsonObject[] | undefined,
    /** Values remembered of all columns together. */
    remembered: 0,
    /** What the table says that its columns hold. */
    declared: new Map(listed.map(({ name, type }) => [name, type])),
    columns: new Map<string, Column>(),
    /** What the attributes of each type have in common; of untyped records under the empty text. */
    schemas: new Map<string, SchemaInference>(),
  }
}

/** Looks at every record of a table; `listed` is what the table itself says of its columns. @throws as its reading does */
export async function surveyOf(
  records: AsyncIterable<ReadRecord>,
  listed: readonly ListedColumn[] = [],
): Promise<Survey> {
  const survey = createSurvey(listed)
  const held: { record: JsonObject; line: number }[] = []
  let isProposed = false
  const settle = () => {
    isProposed = true
    propose(survey)
    for (const { record, line } of held) hold(survey, record, line)
  }
  for await (const read of records) {
    const record = recordIn(read, survey)
    if (record === undefined) continue
    see(survey, record, read.line, isProposed)
    if (isProposed) hold(survey, record, read.line)
    else if (held.push({ record, line: read.line }) > SAMPLE) {
      settle()
      held.length = 0
    }
  }
  if (isProposed) return survey
  settle()
  return { ...survey, rows: held.map(({ record }) => record) }
}

function recordIn(read: ReadRecord, survey: Survey): JsonObject | undefined {
  if ('fault' in read || !isObject(read.record)) {
    const message = 'fault' in read ? read.fault.message : 'a record is an object'
    survey.firstFault ??= { line: read.line, message }
    return undefined
  }
  survey.records += 1
  survey.cells = read.cells === true
  if (survey.cells || !isTypeName(read.record['type'])) survey.typed = false
  if (survey.cells || !isServed(read.record)) survey.served = false
  return read.record
}

function isServed(record: JsonObject): boolean {
  return isObject(record['attributes']) && Object.keys(record).every((name) => ENTITY_MEMBERS.has(name))
}

function see(survey: Survey, record: JsonObject, line: number, isSampled: boolean): void {
  for (const [name, value] of Object.entries(record)) {
    const column = columnOf(survey, name)
    if (value === null || (survey.cells && value === '')) continue
    column.filled += 1
    const text = textOf(value)
    if (typeof value !== 'string') column.isText = false
    if (text === undefined) {
      column.unfit += 1
      continue
    }
    if (!isSampled) column.sample.push(text)
    count(survey, column, text, line)
  }
  if (!survey.cells) learn(survey, record)
}

/** A value as an id could have it; undefined if it could have none. */
function textOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value
  return Number.isSafeInteger(value) ? String(value) : undefined
}

function count(survey: Survey, column: Column, text: string, line: number): void {
  column.longest = Math.max(column.longest, text.length)
  // No id has white space around it.
  const id = text.trim()
  if (id !== text) column.padded += 1
  if (id === '') column.blank += 1
  if (idFault(id) !== undefined) column.unfit += 1
  if (column.repeats > MOST_REPEATS) return
  if (survey.remembered >= MAX_VALUES) {
    column.repeats = Number.POSITIVE_INFINITY
    return
  }
  const before = column.values.size
  // Long values are no ids, and need not be remembered whole.
  column.values.add(id.length > LONGEST_ID ? id.slice(0, LONGEST_ID) : id)
  if (column.values.size > before) {
    survey.remembered += 1
    return
  }
  column.repeats += 1
  if (column.repeatedAt.length < 3) column.repeatedAt.push(line)
}

function columnOf({ columns }: Survey, name: string): Column {
  const known = columns.get(name)
  if (known) return known
  const column = createColumn(name)
  columns.set(name, column)
  return column
}

/** Whether a schema can say what a column is; of one that it cannot, the cells are text. */
export function isDescribable({ name }: Column): boolean {
  return name !== '__proto__'
}

function propose({ columns, cells, declared }: Survey): void {
  if (!cells) return
  const samples = new Map<Column, string[]>()
  for (const column of columns.values()) {
    column.isTrimmed = column.padded > 0 && column.padded === column.filled && column.blank === 0
    samples.set(column, column.isTrimmed ? column.sample.map((cell) => cell.trim()) : column.sample)
  }
  const isCommaTable = [...samples.values()].some(hasDecimalComma)
  for (const [column, sample] of samples)
    if (isDescribable(column))
      column.proposal = proposeColumn(column.name, sample, {
        isCommaTable,
        declared: declared.get(column.name),
      })
}

/** Holds what was proposed against a record: a cell that it does not fit makes the column text. */
function hold({ columns, cells }: Survey, record: JsonObject, line: number): void {
  if (!cells) return
  for (const [name, value] of Object.entries(record)) {
    const column = columns.get(name)
    if (!column || typeof value !== 'string') continue
    const cell = column.isTrimmed ? value.trim() : value
    if (cell === '' || fits(cell, column.proposal)) continue
    column.proposal = { type: 'string' }
    column.refutedBy = { cell: value, line }
  }
}

const NAMES = new Set(['type', 'id', 'title', 'name', 'summary', 'description'])

function learn({ schemas }: Survey, record: JsonObject): void {
  const type = isTypeName(record['type']) ? record['type'] : ''
  const inference = schemas.get(type) ?? new SchemaInference()
  schemas.set(type, inference)
  inference.add(attributesIn(record, type))
}

/** What becomes attributes of a record; all of one that a mapping is proposed for. */
function attributesIn(record: JsonObject, type: string): JsonObject {
  if (isObject(record['attributes'])) return record['attributes']
  return type === ''
    ? record
    : Object.fromEntries(Object.entries(record).filter(([name]) => !NAMES.has(name)))
}
