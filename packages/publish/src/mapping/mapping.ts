/** Mapping of columns, as a source of a definition has it, and the columns that it names. */
import { type AttachmentColumns, attachmentColumns } from './attachment-columns.ts'
import type { CellForm } from './cell-form.ts'
import { type Computed, computedColumns } from './computed.ts'
import type { ReferenceColumn } from './reference-columns.ts'
import { isRowId, type RowId } from './row-id.ts'

/** Columns of a source that become parts of an entity. An empty mapping leaves records to `entityFromRecord`. */
export interface Mapping {
  /** Id columns, joined with a hyphen, or a `RowId` for the row's number in its file or a digest of the row. */
  readonly id?: string | readonly string[] | RowId
  readonly title?: string
  readonly summary?: string
  /**
   * Names of the columns, or the column of each attribute. Defaults to every column that is not used otherwise; `all` adds
   * the columns of id and title.
   */
  readonly attributes?: 'all' | readonly string[] | Readonly<Record<string, string | AttributeColumn>>
  /** Attribute that a column becomes, if it does not have the column's name. */
  readonly rename?: Readonly<Record<string, string>>
  /** Attributes that are computed from columns, and the expression of each. */
  readonly compute?: Computed
  /** Files whose columns are added to the records, in order, before all else. */
  readonly join?: readonly Join[]
  readonly references?: Readonly<Record<string, ReferenceColumn>>
  /** Columns of the attributes that contain file names of the world's attachments. */
  readonly attachments?: AttachmentColumns
  /** Forms of columns whose cells are not plain. The form of an attribute takes precedence over that of its column. */
  readonly cells?: Readonly<Record<string, CellForm>>
  /** Columns whose cells are stripped of surrounding white space, or `true` for all columns. */
  readonly trim?: boolean | readonly string[]
  /** Texts that mean an empty cell. A column's own list replaces this one, as this one replaces that of the world. */
  readonly missing?: readonly string[]
  /** Set if the id and the types were guessed from a sample of the source. */
  readonly sampled?: boolean
}

/** A file and the columns that are added, by key. */
export interface Join {
  /** Path of the file, relative to the definition's folder. */
  readonly file: string
  /** Column of the file that equals a column of the source, by the latter. */
  readonly where: Readonly<Record<string, string>>
  /** Names of the file's columns to add, or the column for each new name. */
  readonly columns: readonly string[] | Readonly<Record<string, string>>
}

/** Returns the columns that a join adds, each with its name in the file. */
export function joinedColumns({
  columns,
}: Pick<Join, 'columns'>): (readonly [name: string, column: string])[] {
  return Array.isArray(columns) ? columns.map((column) => [column, column]) : Object.entries(columns)
}

/** A column that becomes an attribute, with the form of its cells. */
export interface AttributeColumn extends CellForm {
  readonly column: string
}

/** Reports whether a mapping assigns any column. */
export function isMapped(mapping: Mapping): boolean {
  const members = ['id', 'title', 'summary', 'attributes', 'rename', 'compute', 'references', 'attachments']
  return members.some((name) => Object.hasOwn(mapping, name))
}

/** Returns the distinct columns named by a mapping, ordered as id, title, summary, attributes and so on. */
export function mappedColumns({
  id = [],
  title,
  summary,
  attributes = [],
  rename = {},
  compute = {},
  references = {},
  attachments = {},
}: Mapping): string[] {
  const columns = [
    isRowId(id) ? [] : id,
    title ?? [],
    summary ?? [],
    attributeColumns(attributes).map(([, { column }]) => column),
    Object.keys(rename),
    computedColumns(compute),
    Object.values(references).map(({ column }) => column),
    attachmentColumns({ attachments }).map(([, { column }]) => column),
  ]
  return [...new Set(columns.flat())]
}

/** Returns the columns that a table must have: those of the mapping and of keys, plus `id` unless the mapping sets the id. */
export function neededColumns(mapping: Mapping): string[] {
  const { join = [] } = mapping
  const joined = new Set(join.flatMap((one) => joinedColumns(one).map(([name]) => name)))
  const keys = join.flatMap(({ where }) => Object.keys(where))
  const named = new Set([...mappedColumns({ id: 'id', ...mapping }), ...keys])
  return [...named].filter((column) => !joined.has(column))
}

/** Returns the listed attributes with their columns in long form, or an empty array for `all`. */
export function attributeColumns(attributes: NonNullable<Mapping['attributes']>) {
  if (attributes === 'all') return []
  if (Array.isArray(attributes)) return attributes.map((column) => [column, { column }] as const)
  return Object.entries(attributes as Readonly<Record<string, string | AttributeColumn>>).map(
    ([name, column]) => [name, typeof column === 'string' ? { column } : column] as const,
  )
}
