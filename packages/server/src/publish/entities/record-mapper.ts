/** From a record as a file has it to a record as entities are made of: which columns are id, title, attributes. */
import { isObject, type JsonObject, type JsonValue, pointerTo } from '@worldwright/client/protocol'
import type { RecordFault } from '../read/json-text.ts'
import { type CellKind, type CellTypes, cellValue } from './cells.ts'
import { isTypeName } from './entity-from-record.ts'

/** Which column of a source becomes what. An empty mapping leaves records to `entityFromRecord`. */
export interface Mapping {
  /** Several columns are joined with a hyphen. */
  readonly id?: string | readonly string[]
  readonly title?: string
  readonly summary?: string
  /** Names of columns, or the column of each attribute. Absent: every column that is not used otherwise. */
  readonly attributes?: readonly string[] | Readonly<Record<string, string | AttributeColumn>>
  readonly references?: Readonly<Record<string, ReferenceColumn>>
}

/** A column that becomes an attribute, and how. */
export interface AttributeColumn {
  readonly column: string
  readonly as?: CellKind
  /** The cell is a list, separated by this. */
  readonly separator?: string
}

/** A column that holds the ids of entities. */
export interface ReferenceColumn {
  readonly column: string
  readonly type: string
  readonly separator?: string
}

/** What a record became, or what is wrong with it; pointers are into the record as it was read. */
export type Mapped = { readonly record: JsonObject } | { readonly faults: readonly RecordFault[] }

/** Maps the records of one source, one by one. */
export interface RecordMapper {
  /**
   * `cells`: the record is a row of a table, whose values are all text. `type`: that of records that name none; with it, a
   * member `type` that is no `prefix:name` is an attribute like any other.
   */
  (record: JsonValue, cells: boolean, types: CellTypes, type?: string): Mapped
  /** The columns the mapping names that no record had so far, in the mapping's order; none before the first record. */
  readonly unseen: () => readonly string[]
}

/** Whether a mapping says anything about columns. */
export function isMapped(mapping: Mapping): boolean {
  return ['id', 'title', 'summary', 'attributes', 'references'].some((name) => Object.hasOwn(mapping, name))
}

/** The columns a mapping names, each once: id, title, summary, attributes, references. */
export function mappedColumns({
  id = [],
  title,
  summary,
  attributes = [],
  references = {},
}: Mapping): string[] {
  const columns = [
    id,
    title ?? [],
    summary ?? [],
    attributeColumns(attributes).map(([, { column }]) => column),
    Object.values(references).map(({ column }) => column),
  ]
  return [...new Set(columns.flat())]
}

/** The columns that a table must have: those that the mapping names, after `id` where it does not say what the id is. */
export function neededColumns(mapping: Mapping): string[] {
  return mappedColumns({ id: 'id', ...mapping })
}

/**
 * Prepares a mapping. Empty cells of a table are absent, and so is what a record of another format does not have;
 * nothing else that was asked for is left out.
 */
export function createMapper(mapping: Mapping): RecordMapper {
  const plan = isMapped(mapping) ? planOf(mapping) : undefined
  const columns = mappedColumns(mapping)
  let unseen: readonly string[] | undefined
  const map = (record: JsonValue, cells: boolean, types: CellTypes, type?: string): Mapped => {
    if (!isObject(record)) {
      return { faults: [{ pointer: '', reason: 'wrong_type', message: 'a record is an object' }] }
    }
    if (unseen === undefined || unseen.length > 0)
      unseen = (unseen ?? columns).filter((column) => !Object.hasOwn(record, column))
    if (plan) return mapRecord(record, plan, cells, types, type)
    return cells ? typedRow(record, types) : { record }
  }
  return Object.assign(map, { unseen: () => unseen ?? [] })
}

interface Plan {
  readonly id: readonly string[]
  readonly title: string | undefined
  readonly summary: string | undefined
  readonly attributes: readonly (readonly [name: string, column: AttributeColumn])[] | undefined
  readonly references: readonly (readonly [name: string, column: ReferenceColumn])[]
  readonly used: ReadonlySet<string>
  /** The column `type` is data: the mapping makes something else of it. */
  readonly isTypeMapped: boolean
}

function planOf(mapping: Mapping): Plan {
  const { id = 'id', title, summary, attributes, references = {} } = mapping
  const ids = typeof id === 'string' ? [id] : id
  const referred = Object.entries(references)
  return {
    id: ids,
    title,
    summary,
    attributes: attributes && attributeColumns(attributes),
    references: referred,
    isTypeMapped: mappedColumns(mapping).includes('type'),
    used: new Set([
      ...ids,
      ...[title, summary].filter((column) => column !== undefined),
      ...referred.map(([, { column }]) => column),
    ]),
  }
}

function attributeColumns(attributes: NonNullable<Mapping['attributes']>) {
  if (Array.isArray(attributes)) return attributes.map((column) => [column, { column }] as const)
  return Object.entries(attributes as Readonly<Record<string, string | AttributeColumn>>).map(
    ([name, column]) => [name, typeof column === 'string' ? { column } : column] as const,
  )
}

function mapRecord(
  record: JsonObject,
  plan: Plan,
  cells: boolean,
  types: CellTypes,
  defaultType: string | undefined,
): Mapped {
  const faults: RecordFault[] = []
  const members: [string, JsonValue][] = []
  const cellOf = (column: string) => given(record, column, cells)
  const named = plan.isTypeMapped ? undefined : given(record, 'type', cells)
  const type = defaultType === undefined || isTypeName(named) ? named : undefined
  const columns = plan.attributes ?? ownColumns(record, plan.used, type !== undefined)
  for (const [name, { column, as, separator }] of columns) {
    const value = cellOf(column)
    if (value === undefined) {
      if (cells && plan.attributes && !Object.hasOwn(record, column)) faults.push(missing(column))
      continue
    }
    if (typeof value !== 'string' || (!cells && as === undefined && separator === undefined)) {
      members.push([name, value])
      continue
    }
    const read = cellValue(value, as ?? types(name, separator !== undefined), separator)
    if ('value' in read) members.push([name, read.value])
    else faults.push({ pointer: pointerTo('', column), reason: 'wrong_type', message: read.fault })
  }
  for (const [name, { column, type, separator }] of plan.references) {
    const value = cellOf(column)
    if (value !== undefined) members.push([name, referenceOf(value, type, separator)])
  }
  const id = idOf(plan.id, cellOf)
  const title = plan.title === undefined ? undefined : cellOf(plan.title)
  const summary = plan.summary === undefined ? undefined : cellOf(plan.summary)
  if (faults.length > 0) return { faults }
  return {
    record: {
      ...(typeof type === 'string' && { type }),
      ...(id !== undefined && { id }),
      ...(title !== undefined && { title: textOf(title) }),
      ...(summary !== undefined && { summary: textOf(summary) }),
      attributes: Object.fromEntries(members),
    },
  }
}

/** A row of a table without a mapping: columns keep their names, cells become what the schema says. */
function typedRow(record: JsonObject, types: CellTypes): Mapped {
  const faults: RecordFault[] = []
  const members: [string, JsonValue][] = []
  for (const [column, cell] of Object.entries(record)) {
    if (cell === '') continue
    const kind = RESERVED.has(column) ? 'text' : types(column, false)
    const read = cellValue(String(cell), kind, undefined)
    if ('value' in read) members.push([column, read.value])
    else faults.push({ pointer: pointerTo('', column), reason: 'wrong_type', message: read.fault })
  }
  return faults.length > 0 ? { faults } : { record: Object.fromEntries(members) }
}

const RESERVED = new Set(['type', 'id', 'title', 'name', 'summary', 'description'])

function ownColumns(
  record: JsonObject,
  used: ReadonlySet<string>,
  isTyped: boolean,
): [string, AttributeColumn][] {
  return Object.keys(record)
    .filter((column) => !used.has(column) && !(isTyped && column === 'type'))
    .map((column) => [column, { column }])
}

function given(record: JsonObject, column: string, cells: boolean): JsonValue | undefined {
  if (!Object.hasOwn(record, column)) return undefined
  const value = record[column]
  return cells && value === '' ? undefined : value
}

function idOf(
  columns: readonly string[],
  cellOf: (column: string) => JsonValue | undefined,
): string | undefined {
  const parts = columns.map(cellOf)
  if (parts.some((part) => part === undefined || part === null)) return undefined
  return parts.map((part) => textOf(part as JsonValue)).join('-')
}

/** A title, summary or part of an id; what is neither text nor number stays and is refused later. */
function textOf(value: JsonValue): string {
  return typeof value === 'number' ? String(value) : (value as string)
}

function referenceOf(value: JsonValue, type: string, separator: string | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((one) => referenceOf(one, type, undefined))
  if (typeof value !== 'string' && typeof value !== 'number') return value
  if (separator === undefined) return { type, id: String(value) }
  const ids = String(value)
    .split(separator)
    .map((one) => one.trim())
  return [...new Set(ids)].filter((id) => id !== '').map((id) => ({ type, id }))
}

function missing(column: string): RecordFault {
  return { pointer: '', reason: 'required', message: `there is no column ${JSON.stringify(column)}` }
}
