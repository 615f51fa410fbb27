/** Surveys a source by reading every record and examining a sample of them closely. */
import { idFault, isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { isTypeName, type ReadRecord } from '@worldwright/entities'
import { SchemaInference } from '@worldwright/entities/schemas'
import type { ListedColumn } from '../formats/table/columns.ts'
import { servedAttributes } from '../mapping/member-path.ts'
import { hasDecimalComma } from './number-form.ts'
import { type ColumnProposal, fits, isGap, mayHaveGaps, proposeColumn } from './propose-form.ts'

/** Number of records from which forms are proposed. Each form is then checked against all records. */
const SAMPLE = 10_000

/** Maximum number of rows kept, to find two columns that identify them together. */
const MAX_ROWS = 50_000

/** Maximum number of values stored for all columns together, to find repeated values. */
const MAX_VALUES = 3_000_000

/** Number of repeated values after which a column cannot be an id. */
export const MOST_REPEATS = 1_000

/** Maximum length of an id that every program accepts, although the rules allow longer ids. */
export const LONGEST_ID = 128

/** Survey of one column, filled in as records are read. */
export type Column = ReturnType<typeof createColumn>

function createColumn(name: string) {
  return {
    name,
    /** Number of values or, in a table, of nonempty cells. */
    filled: 0,
    /** Set if it is a member of records, and not only an attribute of served entities. */
    isMember: false,
    /** Set if all values are text. */
    isText: true,
    /** Text and integer values of the sample. */
    sample: [] as string[],
    /** Elements in the sample of lists of texts or integers, and the number of such lists. */
    elements: [] as string[],
    lists: 0,
    proposal: { type: 'string' } as ColumnProposal,
    /** Number of cells with each placeholder, in a column of numbers or dates. */
    gaps: new Map<string, number>(),
    /** Distinct placeholders among the values, which may be values of their own in a column of text. */
    placeholders: new Set<string>(),
    /** First cell that the proposal does not fit. It makes the column text. */
    refutedBy: undefined as { readonly cell: string; readonly line: number } | undefined,
    /** Distinct values, no longer added once `repeats` exceeds the limit. */
    values: new Set<string>(),
    repeats: 0,
    /** Lines of the first values that repeat an earlier one. */
    repeatedAt: [] as number[],
    /** Lines of the first empty cells and placeholders. */
    emptyAt: [] as number[],
    /** Number of values that cannot be ids even after trimming. */
    unfit: 0,
    /** Number of values with surrounding white space. */
    padded: 0,
    /** Number of values that consist only of white space. */
    blank: 0,
    /** Set if all sampled values have surrounding white space, as with padded delimiters. Cells are then trimmed. */
    isTrimmed: false,
    longest: 0,
  }
}

/** Survey of a source, filled in as its records are read. */
export interface Survey extends ReturnType<typeof createSurvey> {
  /** Surveys of the records of each type, as long as every record names its own. */
  readonly byType: Map<string, Survey>
}

function createSurvey(listed: readonly ListedColumn[]) {
  return {
    records: 0,
    /** Fault of the first record that could not be read. */
    firstFault: undefined as { readonly line: number; readonly message: string } | undefined,
    /** Set if the values are table cells, which are text and whose types are proposed. */
    cells: false,
    /** Set if every record names its own type. */
    typed: true,
    /** Set if every record has the form of a served entity, with `attributes` and only members that entities have. */
    served: true,
    /** Set if rows have an order, as in files but not in databases. */
    ordered: true,
    /** All records, or undefined if there are too many. */
    rows: undefined as readonly JsonObject[] | undefined,
    /** Number of values stored for all columns together. */
    remembered: 0,
    /** Columns declared by the table. */
    declared: new Map(listed.map((column) => [column.name, column])),
    columns: new Map<string, Column>(),
    /** Inferred schemas of attributes by type. Untyped records have the empty string as their type. */
    schemas: new Map<string, SchemaInference>(),
  }
}

/**
 * Surveys every record of a table. `listed` contains the columns that the table declares. Those of a database are columns even
 * if no record has them, and name no types. @throws as `records` does
 */
export async function surveyOf(
  records: AsyncIterable<ReadRecord>,
  listed: readonly ListedColumn[] = [],
  isDatabase = false,
): Promise<Survey> {
  const survey: Survey = { ...createSurvey(listed), byType: new Map() }
  if (isDatabase) {
    Object.assign(survey, { typed: false, served: false, ordered: false })
    for (const { name } of listed) columnOf(survey, name).isMember = true
  }
  const held: { record: JsonObject; line: number }[] = []
  const rows: JsonObject[] = []
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
    seeOfType(survey, record, read.line, isProposed)
    if (survey.records <= MAX_ROWS) rows.push(record)
    else rows.length = 0
    if (isProposed) hold(survey, record, read.line)
    else if (held.push({ record, line: read.line }) > SAMPLE) {
      settle()
      held.length = 0
    }
  }
  if (!isProposed) settle()
  for (const { columns } of survey.served ? [] : [survey, ...survey.byType.values()])
    for (const { name, isMember } of columns.values()) if (!isMember) columns.delete(name)
  return survey.records > MAX_ROWS ? survey : { ...survey, rows }
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
  if (survey.cells || servedAttributes(read.record) === undefined) survey.served = false
  return read.record
}

function see(survey: Survey, record: JsonObject, line: number, isSampled: boolean): void {
  const attributes = survey.served ? servedAttributes(record) : undefined
  for (const [name, value] of Object.entries({ ...attributes, ...record })) {
    const column = columnOf(survey, name)
    column.isMember ||= Object.hasOwn(record, name)
    if (value === null || (survey.cells && value === '')) {
      if (column.emptyAt.length < 3) column.emptyAt.push(line)
      continue
    }
    column.filled += 1
    const text = textOf(value)
    if (typeof value !== 'string') column.isText = false
    if (text === undefined) {
      column.unfit += 1
      if (Array.isArray(value)) seeList(column, value, isSampled)
      continue
    }
    if (!isSampled) column.sample.push(text)
    count(survey, column, text, line)
  }
  if (!survey.cells) learn(survey, record)
}

/** Surveys a record among those of its type. All values are counted together, so that many types need no more memory. */
function seeOfType(survey: Survey, record: JsonObject, line: number, isSampled: boolean): void {
  const { byType, typed, served } = survey
  const type = String(record['type'])
  if (!typed) {
    byType.clear()
    return
  }
  const part = byType.get(type) ?? { ...createSurvey([]), byType: new Map() }
  byType.set(type, part)
  Object.assign(part, { records: part.records + 1, served, remembered: survey.remembered })
  see(part, record, line, isSampled)
  survey.remembered = part.remembered
}

function seeList(column: Column, list: readonly JsonValue[], isSampled: boolean): void {
  const texts = list.map(textOf).filter((text) => text !== undefined)
  if (texts.length < list.length) return
  column.lists += 1
  if (!isSampled) column.elements.push(...texts)
}

/** Returns a value as the text of an id, or undefined if it cannot be one. */
function textOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value
  return Number.isSafeInteger(value) ? String(value) : undefined
}

function count(survey: Survey, column: Column, text: string, line: number): void {
  column.longest = Math.max(column.longest, text.length)
  // Ids must not have surrounding white space.
  const id = text.trim()
  if (id !== text) column.padded += 1
  if (id === '') column.blank += 1
  if (idFault(id) !== undefined) column.unfit += 1
  if (isGap(id)) {
    column.placeholders.add(id)
    if (column.emptyAt.length < 3) column.emptyAt.push(line)
  }
  if (column.repeats > MOST_REPEATS) return
  if (survey.remembered >= MAX_VALUES) {
    column.repeats = Number.POSITIVE_INFINITY
    return
  }
  const before = column.values.size
  // Long values cannot be ids, so they are stored truncated.
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

/** Reports whether a schema can describe a column. If not, its cells remain text. */
export function isDescribable({ name }: Column): boolean {
  return name !== '__proto__'
}

function propose({ columns, cells, declared }: Survey): void {
  if (!cells) {
    for (const { name, decimals } of declared.values()) {
      const column = columns.get(name)
      if (column && decimals !== undefined) column.proposal = { type: 'number', form: { decimals } }
    }
    return
  }
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
        declared: declared.get(column.name)?.type,
      })
}

/** Checks the proposals against a record. A cell that does not fit makes its column text. */
function hold({ columns, cells, declared }: Survey, record: JsonObject, line: number): void {
  if (!cells && declared.size === 0) return
  for (const [name, value] of Object.entries(record)) {
    const column = columns.get(name)
    if (!column || typeof value !== 'string' || (!cells && column.proposal.form === undefined)) continue
    const cell = column.isTrimmed ? value.trim() : value
    if (mayHaveGaps(column.proposal) && isGap(cell)) {
      column.gaps.set(cell, (column.gaps.get(cell) ?? 0) + 1)
      continue
    }
    if (cell === '' || fits(cell, column.proposal)) continue
    column.gaps.clear()
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

/** Returns the members of a record that become attributes: all if there is no type, so that a mapping is proposed. */
function attributesIn(record: JsonObject, type: string): JsonObject {
  if (isObject(record['attributes'])) return record['attributes']
  return type === ''
    ? record
    : Object.fromEntries(Object.entries(record).filter(([name]) => !NAMES.has(name)))
}
