/** Mapping of table rows and file records to entity records, which assigns columns to id, title, attributes and so on. */
import { isObject, type JsonObject, type JsonValue, pointerTo } from '@worldwright/client/protocol'
import { isTypeName, type RecordFault } from '@worldwright/entities'
import { type AttachmentColumn, attachmentColumns, attachmentsOf } from './attachment-columns.ts'
import { type CellForm, type CellReader, createCellReader } from './cell-form.ts'
import { type CellTypes, cellValue } from './cells.ts'
import { createComputer } from './computed.ts'
import { ExpressionFault, type Value } from './expression.ts'
import { attributeColumns, isMapped, type Mapping, mappedColumns } from './mapping.ts'
import { memberAt, servedAttributes } from './member-path.ts'
import { type ReferenceColumn, referenceOf } from './reference-columns.ts'
import { idOf, isRowId, type RecordPlace, type RowId, rowId, textOf } from './row-id.ts'

/** A mapped record, or its faults and the id if known. Pointers refer to the record as read. */
export type Mapped =
  | { readonly record: JsonObject }
  | { readonly faults: readonly RecordFault[]; readonly id?: JsonValue | undefined }

/** Properties of the records of a source, and the position of one record. */
export interface RecordContext extends RecordPlace {
  /** Set if the record is a row of a table, whose values are all text. */
  readonly cells: boolean
  /** Cell kinds for columns without a kind in the mapping. */
  readonly types: CellTypes
  /** Default type. If set, a member `type` that is not a `prefix:name` is an ordinary attribute. */
  readonly type?: string | undefined
  /** The record without the columns that a join added to it. */
  readonly asRead?: JsonObject
}

/** Maps the rows of one source to entity records, one by one. */
export interface RowMapper {
  (record: JsonValue, context: RecordContext): Mapped
  /** Returns the mapped columns that no record has had so far, in mapping order; empty before the first record. */
  readonly unseen: () => readonly string[]
  /** Returns sentences on cells that `missing` made empty and on records not joined so far. `where` names the source. */
  readonly notes: (where: string) => readonly string[]
}

/**
 * Prepares a mapping. Empty cells of a table become absent members, like missing members of records in other formats. A
 * table row without the column of a mapped attribute is a fault. A record in the form of a served entity keeps what is not
 * mapped, unless the mapping lists attributes. `missing` is the list of the world.
 */
export function createRowMapper(mapping: Mapping, missing?: readonly string[]): RowMapper {
  const plan = new MappingPlan({ missing: missing ?? [], ...mapping })
  const columns = mappedColumns(mapping)
  let unseen: readonly string[] | undefined
  const map = (record: JsonValue, context: RecordContext): Mapped => {
    if (!isObject(record)) {
      return { faults: [{ pointer: '', reason: 'wrong_type', message: 'a record is an object' }] }
    }
    const own = context.cells || mapping.attributes !== undefined ? undefined : servedAttributes(record)
    const { type: _, id: __, ...others } = own ?? {}
    const all = own ? { ...others, ...record } : record
    if (unseen === undefined || unseen.length > 0)
      unseen = (unseen ?? columns).filter((column) => memberAt(all, column) === undefined)
    if (isMapped(mapping)) {
      const found = plan.map(all, context, own)
      return own && 'record' in found ? { record: { ...record, ...found.record } } : found
    }
    const isFlat = context.cells || (plan.listsMissing && !isObject(record['attributes']))
    return isFlat ? plan.typedRow(record, context) : { record }
  }
  const notes = (where: string) => {
    const cells = [...plan.missing].map(([column, count]) => `${column} ${count}`)
    return cells.length === 0 ? [] : [`${where}: cells read as empty: ${cells.join(', ')}`]
  }
  return Object.assign(map, { unseen: () => unseen ?? [], notes })
}

/** An attribute, its column, and the reader for its cells if they are not plain. */
interface PlannedColumn {
  readonly name: string
  readonly column: string
  readonly read?: CellReader | undefined
  readonly isList: boolean
  /** List of the attribute, or else of its column. Absent if neither has one. */
  readonly missing?: readonly string[] | undefined
}

/** Columns whose cells stay text unless a mapping assigns them. */
const RESERVED = new Set(['type', 'id', 'title', 'name', 'summary', 'description'])

/** A mapping that is prepared column by column. */
class MappingPlan {
  readonly #id: readonly string[] | RowId
  readonly #title: string | undefined
  readonly #summary: string | undefined
  readonly #attributes: readonly PlannedColumn[] | undefined
  readonly #references: readonly (readonly [name: string, column: ReferenceColumn])[]
  readonly #attachments: readonly (readonly [name: string, column: AttachmentColumn])[]
  readonly #used: ReadonlySet<string>
  readonly #linked: ReadonlySet<string>
  /** Set if the mapping assigns the column `type`, which is then data. */
  readonly #isTypeMapped: boolean
  readonly #forms: Readonly<Record<string, CellForm>>
  readonly #rename: Readonly<Record<string, string>>
  readonly #compute: ReturnType<typeof createComputer> | undefined
  /** Set if attributes may have the names of columns that others are made of. */
  readonly #isRenamed: boolean
  readonly #isTrimmed: (column: string) => boolean
  /** Columns whose cells are not plain. */
  readonly #formed: ReadonlyMap<string, PlannedColumn>
  readonly #missing: readonly string[]
  /** Number of cells that a list made empty, by column. */
  readonly missing = new Map<string, number>()

  constructor(mapping: Mapping) {
    const { id = 'id', title, summary, attributes, references = {}, cells = {}, trim = false } = mapping
    this.#missing = mapping.missing ?? []
    this.#id = typeof id === 'string' ? [id] : id
    this.#title = title
    this.#summary = summary
    this.#forms = cells
    this.#rename = mapping.rename ?? {}
    this.#compute = mapping.compute && createComputer(mapping.compute)
    this.#isRenamed = mapping.rename !== undefined || mapping.compute !== undefined
    const formed = Object.keys(cells).map((one) => [one, this.#planned(this.#nameOf(one), one, {})] as const)
    this.#formed = new Map(formed)
    const isAll = attributes === 'all'
    const listed = isAll || !attributes ? undefined : attributeColumns(attributes)
    this.#attributes = listed?.map(([name, { column, ...form }]) =>
      this.#planned(Array.isArray(attributes) ? this.#nameOf(name) : name, column, form),
    )
    this.#references = Object.entries(references)
    this.#attachments = attachmentColumns(mapping)
    this.#linked = new Set([...this.#references, ...this.#attachments].map(([, { column }]) => column))
    this.#isTypeMapped = isAll || mappedColumns(mapping).includes('type')
    // A column that is only part of the id remains an attribute. Otherwise its value would be lost.
    const whole = isRowId(this.#id) || this.#id.length > 1 ? [] : this.#id
    // What is renamed or computed with remains an attribute, too.
    const used = { ...mapping, rename: {}, compute: {} }
    const { id: _, title: __, ...others } = used
    this.#used = new Set(mappedColumns(isAll ? others : { ...used, id: whole, attributes: [] }))
    const trimmed = typeof trim === 'boolean' ? undefined : new Set(trim)
    this.#isTrimmed = trimmed ? (column) => trimmed.has(column) : () => trim === true
  }

  /** True if any list of missing texts is in force. */
  get listsMissing(): boolean {
    return this.#missing.length > 0 || [...this.#formed.values()].some(({ missing }) => missing !== undefined)
  }

  map(record: JsonObject, context: RecordContext, own?: JsonObject): Mapped {
    const faults: RecordFault[] = []
    const members: [string, JsonValue][] = []
    const named = this.#isTypeMapped ? undefined : this.#given(record, 'type', context)
    const type = context.type === undefined || isTypeName(named) ? named : undefined
    const [isTyped, used] = own ? [false, this.#linked] : [type !== undefined, this.#used]
    for (const column of this.#attributes ?? this.#ownColumns(own ?? record, isTyped, used)) {
      const value = this.#given(own ?? record, column.column, context, column.missing)
      if (value !== undefined) this.#addMember(members, faults, column, value, context)
      else if (context.cells && this.#attributes && !Object.hasOwn(record, column.column))
        faults.push(missing(column.column))
    }
    for (const [name, { column, type, separator }] of this.#references) {
      const value = this.#given(record, column, context)
      if (value !== undefined) members.push([name, referenceOf(value, type, separator)])
    }
    for (const [name, { column, separator }] of this.#attachments) {
      const value = this.#given(record, column, context)
      if (value !== undefined) members.push([name, attachmentsOf(value, separator)])
    }
    if (this.#compute) {
      const operandOf = (column: string) => this.#operand(record, column, context)
      members.push(...this.#compute(operandOf, faults))
    }
    if (this.#isRenamed) faults.push(...repeatedAttributes(members))
    const cellOf = (column: string) => this.#given(record, column, context)
    const id = isRowId(this.#id) ? rowId(this.#id, context.asRead ?? record, context) : idOf(this.#id, cellOf)
    const title = this.#title === undefined ? undefined : cellOf(this.#title)
    const summary = this.#summary === undefined ? undefined : cellOf(this.#summary)
    if (faults.length > 0) return { faults, id }
    return {
      record: {
        ...(typeof type === 'string' && { type }),
        ...(id !== undefined && { id }),
        ...(title !== undefined && title !== null && { title: textOf(title) }),
        ...(summary !== undefined && summary !== null && { summary: textOf(summary) }),
        attributes: Object.fromEntries(members),
      },
    }
  }

  /** Maps a table row without a mapping. Columns keep their names, and cells get the kinds of the schema. */
  typedRow(record: JsonObject, context: RecordContext): Mapped {
    const faults: RecordFault[] = []
    const members: [string, JsonValue][] = []
    const asText: RecordContext = { ...context, types: () => 'text' }
    for (const column of this.#ownColumns(record, false, new Set())) {
      const value = this.#given(record, column.column, context)
      const own = RESERVED.has(column.name) ? asText : context
      if (value !== undefined) this.#addMember(members, faults, column, value, own)
    }
    return faults.length > 0 ? { faults, id: record['id'] } : { record: Object.fromEntries(members) }
  }

  #addMember(
    members: [string, JsonValue][],
    faults: RecordFault[],
    { name, column, read, isList }: PlannedColumn,
    value: JsonValue,
    { cells, types }: RecordContext,
  ): void {
    if (typeof value !== 'string' || (!cells && read === undefined)) {
      members.push([name, value])
      return
    }
    const kind = types(name, isList)
    const found = (read ?? cellValue)(value, kind)
    if ('value' in found) members.push([name, found.value])
    else faults.push({ pointer: pointerTo('', column), reason: 'wrong_type', message: found.fault })
  }

  #nameOf(column: string): string {
    return (Object.hasOwn(this.#rename, column) && this.#rename[column]) || column
  }

  /** Returns the value of a column for an expression, as its form says. @throws ExpressionFault for a list, or a bad cell */
  #operand(record: JsonObject, column: string, context: RecordContext): Value {
    const value = this.#given(record, column, context)
    const read = this.#formed.get(column)?.read
    const found =
      typeof value === 'string' && read ? read(value, context.types(this.#nameOf(column), false)) : { value }
    if ('fault' in found) throw new ExpressionFault(found.fault)
    if (isObject(found.value) || Array.isArray(found.value))
      throw new ExpressionFault(`${column} is no single value`)
    return found.value ?? undefined
  }

  #planned(name: string, column: string, own: CellForm): PlannedColumn {
    const { missing, ...form } = { ...(Object.hasOwn(this.#forms, column) && this.#forms[column]), ...own }
    const isPlain = Object.keys(form).length === 0
    return {
      name,
      column,
      read: isPlain ? undefined : createCellReader(form),
      isList: form.separator !== undefined,
      missing,
    }
  }

  #ownColumns(record: JsonObject, isTyped: boolean, used = this.#used): PlannedColumn[] {
    const columns: PlannedColumn[] = []
    for (const column of Object.keys(record)) {
      if (used.has(column) || (isTyped && column === 'type')) continue
      columns.push(this.#formed.get(column) ?? { name: this.#nameOf(column), column, isList: false })
    }
    return columns
  }

  #given(
    record: JsonObject,
    column: string,
    { cells }: RecordContext,
    missing = this.#formed.get(column)?.missing ?? this.#missing,
  ): JsonValue | undefined {
    const value = memberAt(record, column)
    const text = typeof value === 'string' && this.#isTrimmed(column) ? value.trim() : value
    if (cells && text === '') return undefined
    if (typeof text !== 'string' || !missing.includes(text)) return text
    this.missing.set(column, (this.missing.get(column) ?? 0) + 1)
    return undefined
  }
}

function repeatedAttributes(members: readonly (readonly [name: string, value: JsonValue])[]): RecordFault[] {
  const names = new Set(members.map(([name]) => name))
  if (names.size === members.length) return []
  return members.flatMap(([name]) => {
    if (names.delete(name)) return []
    const message = `${JSON.stringify(name)} is made of two columns; rename or compute another attribute`
    return [{ pointer: '', reason: 'repeated', message }]
  })
}

function missing(column: string): RecordFault {
  return { pointer: '', reason: 'required', message: `there is no column ${JSON.stringify(column)}` }
}
