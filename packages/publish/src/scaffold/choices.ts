/** Corrections of proposed tables by a person. Members that are absent leave the guess. */
import { isObject, type JsonObject } from '@worldwright/client/protocol'
import type { NamedSurvey } from './identify.ts'
import { KINDS, type Kind } from './propose-form.ts'
import type { Column } from './survey.ts'

/** Corrections of a proposed table by a person. */
export interface TableChoice {
  /** Name of the type, not for records that name their own. */
  readonly type?: string
  /** Title of the type. */
  readonly title?: string
  /** The column that is the id. */
  readonly id?: string
  /** The column of titles, or an empty text for none. */
  readonly titleColumn?: string
  readonly columns?: ReadonlyMap<string, ColumnChoice>
}

/** Corrections of a column. An empty label or unit means none. */
export interface ColumnChoice {
  readonly label?: string
  /** Kind of the cells of a table, whose values are texts. */
  readonly kind?: Kind | undefined
  readonly unit?: string
  /** Texts that mean an empty cell. */
  readonly missing?: readonly string[]
  readonly isLeftOut?: boolean
  /** Set to false if the column is no reference although its values are ids. */
  readonly isReference?: boolean
}

/** Returns a survey in which the type, the id, kinds and missing values are the chosen ones. */
export function withChoice(one: NamedSurvey, { type, id, columns: chosen }: TableChoice = {}): NamedSurvey {
  const columns = new Map<string, Column>()
  for (const [name, column] of one.survey.columns) {
    const { kind, missing } = chosen?.get(name) ?? {}
    const gaps = missing && new Map(missing.map((text) => [text, column.gaps.get(text) ?? 0]))
    const proposal = kind && { proposal: KINDS[kind].proposal, refutedBy: undefined }
    columns.set(name, { ...column, ...proposal, ...(gaps && { gaps }) })
  }
  const { parts = [], ...guess } = one.identity
  const column = columns.get(id ?? guess.column?.name ?? '')
  const identity = {
    ...(id === undefined ? guess : { id, reasons: [`The id is ${id}.`] }),
    ...(column && { column }),
    ...(id === undefined &&
      parts.length > 0 && { parts: parts.flatMap((part) => columns.get(part.name) ?? []) }),
  }
  const named = type !== undefined && !one.survey.typed && { type }
  return { ...one, ...named, survey: { ...one.survey, columns }, identity }
}

/** Returns a schema with the chosen labels and units, and with renamed columns. `columnOf` returns the column of an attribute. */
export function labelled(
  schema: JsonObject,
  chosen: TableChoice['columns'],
  columnOf: (attribute: string) => string,
  rename: ReadonlyMap<string, string>,
): JsonObject {
  const { properties, required } = schema
  if (!isObject(properties)) return schema
  const nameOf = (column: string) => rename.get(column) ?? column
  const said = Object.entries(properties).map(([name, property]) => {
    const { 'x-unit': guess = '', ...rest } = property as JsonObject
    const { label = rename.has(name) ? name : '', unit = guess } = chosen?.get(columnOf(name)) ?? {}
    return [
      nameOf(name),
      { ...rest, ...(label && { title: label }), ...(unit && { 'x-unit': unit }) },
    ] as const
  })
  const renamed = required && { required: (required as string[]).map(nameOf) }
  return { ...schema, properties: Object.fromEntries(said), ...renamed }
}
