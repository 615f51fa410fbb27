/** Reads CSV and TSV files as entities. Each cell is converted by the schema of its attribute exactly, or refused with a reason. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import { parseExact } from '@worldwright/client/exact'
import { isObject, member, referenceIn, resolved, valueAt } from '@worldwright/extensions/shown'
import { type FormField, formField, written } from '../form/form-field.ts'
import { DATE, inputFrom, withMember } from '../form/form-fields.ts'
import { formWords } from '../form/form-words.ts'
import { attempt } from '../text/attempt.ts'
import { apart, fieldsFor } from './content.ts'
import { editWords } from './edit-words.ts'

/** Row of a table: its number in a spreadsheet, its cells as they were read, and the entity, or what is wrong with it. */
export interface TableRow {
  readonly number: number
  readonly cells: readonly { readonly text: string; readonly fault?: string }[]
  readonly id: string
  readonly content: JsonObject
  readonly fault: string | undefined
}

/** A table as it was read. A column that names no field is undefined. */
export interface Table {
  readonly columns: readonly (FormField | undefined)[]
  /** Names of the columns that are left out, and labels of required attributes without a column. */
  readonly ignored: readonly string[]
  readonly missing: readonly string[]
  readonly rows: readonly TableRow[]
}

/** Reads a table whose header names fields by name or label. Rejects if the bytes are not UTF-8 or no table. */
export async function tableFrom(bytes: BufferSource, schema: unknown): Promise<Table> {
  const { parse } = await import('csv-parse/browser/esm/sync')
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const [first = ''] = text.split(/[\r\n]/, 1)
  const count = (delimiter: string) => first.split(delimiter).length
  const [delimiter = ','] = [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))
  const [head = [], ...rest]: string[][] = parse(text, { delimiter, relax_column_count: true })
  const fields = fieldsOf(schema)
  const found = head.map((name) => fields.find((one) => isNamed(one, name)))
  // Of two columns for one field, the first counts.
  const columns = found.map((field, at) => (found.indexOf(field) === at ? field : undefined))
  const seen = new Set<string>()
  return {
    columns,
    ignored: head.filter((_, at) => columns[at] === undefined),
    missing: fields.filter((one) => one.isRequired && !columns.includes(one)).map(({ label }) => label),
    rows: rest.flatMap((record, at) =>
      record.some((cell) => cell !== '') ? [rowFrom(record, columns, at + 2, seen)] : [],
    ),
  }
}

/** Returns the fields that a column may fill: id, title, summary and the attributes in the schema. */
function fieldsOf(schema: unknown): FormField[] {
  const { properties, required } = resolved(schema, schema)
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  const attributes = Object.keys(isObject(properties) ? properties : {}).map((name) =>
    formField(name, member(properties, name), schema, isRequired(name), ['attributes']),
  )
  const own = fieldsFor(schema, { attributes: {} }, true).filter(
    ({ path }) => path.length === 1 && path[0] !== 'attributes',
  )
  return apart(own, attributes)
}

function isNamed({ path, label }: FormField, name: string): boolean {
  return [path.at(-1), label].some((one) => one?.toLowerCase() === name.trim().toLowerCase())
}

function rowFrom(
  record: readonly string[],
  columns: Table['columns'],
  number: number,
  seen: Set<string>,
): TableRow {
  let content: JsonObject = { attributes: {} }
  let fault = record.length === columns.length ? undefined : editWords().cells
  const cells = columns.map((field, at) => {
    const { value, ...cell } = cellFrom(record[at] ?? '', field)
    if (field && cell.fault !== undefined) fault ??= `${field.label}: ${cell.fault}`
    if (field && value !== undefined) content = withMember(content, field.path, value)
    return cell
  })
  const { id = '', ...rest } = content
  if (id === '') fault ??= formWords().faults.required
  if (seen.has(String(id))) fault ??= editWords().twice
  seen.add(String(id))
  return { number, cells, id: String(id), content: rest, fault }
}

/** Converts a cell. The apostrophe that downloads put before what a spreadsheet would run is no part of it. */
function cellFrom(
  text: string,
  field: FormField | undefined,
): { text: string; value?: JsonValue | undefined; fault?: string } {
  if (field === undefined || text.trim() === '') return { text }
  const cell = text.replace(/^'(?=[=+\-@\t\r])/, '')
  const typed = typedFrom(cell, field)
  if (typed === undefined) return { text, fault: editWords().cell }
  const { input, faults } = inputFrom({ [field.key]: typed }, [field])
  const fault = faults[field.key]
  if (fault !== undefined) return { text, fault: formWords().faults[fault] }
  const value = valueAt(input, field.path)
  return { text: value === undefined ? '' : written(value), value }
}

/** Returns what would be typed into the control of a field for a cell. Undefined if the cell has no such value. */
function typedFrom(cell: string, { control, choices, types }: FormField): string | undefined {
  const json = attempt(() => parseExact(cell)) as JsonValue | undefined
  const referenceFrom = (value: JsonValue) =>
    typeof value === 'string' && types.length === 1
      ? { type: types[0] as string, id: value }
      : referenceIn(value) && value
  if (control === 'date') return DATE.test(cell) ? cell : undefined
  if (control === 'truth') return /^(?:true|false)$/i.exec(cell.trim())?.[0].toLowerCase()
  if (control === 'choice')
    return choices
      .map((one) => (written(one) === cell ? JSON.stringify(one) : undefined))
      .find((one) => one !== undefined)
  if (control === 'words' && Array.isArray(json))
    return json.length > 0 && json.every((one) => typeof one === 'string' && !one.includes('\n'))
      ? json.join('\n')
      : undefined
  if (control !== 'reference' && control !== 'references') return cell
  const isMany = control === 'references'
  const named = !isMany ? [isObject(json) ? json : cell] : Array.isArray(json) ? json : cell.split(';')
  const references = named.map(referenceFrom)
  return references.every((one) => one !== undefined) ? JSON.stringify(references) : undefined
}
