/** Formats the rows of a table as text for spreadsheets (TSV) and for documents (Markdown). */
import type { Entity, JsonValue } from '@worldwright/client'
import { jsonLineOf } from '@worldwright/client/exact'
import { type Field, isObject, member } from '@worldwright/extensions/shown'
import { nameOf } from '../data/entity-name.ts'
import { plainCell } from './rows.ts'

/** Columns of a copied table: the title of the entities, under this heading, and attributes. */
export interface TableColumns {
  readonly title: string
  readonly fields: readonly Field[]
}

/** Formats rows as tab-separated values with a heading. Tabs and line ends within values become spaces. */
export function tsvFrom(entities: readonly Entity[], columns: TableColumns): string {
  return linesOf(
    entities,
    columns,
    (text) => {
      const cell = (Number.isNaN(Number(text)) ? plainCell(text) : text).replace(/[\t\r\n]+/g, ' ')
      // A spreadsheet would read on to the next quotation mark, over the ends of cells and rows.
      return cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell
    },
    (cells) => cells.join('\t'),
  )
}

/** Formats rows as a Markdown table. Characters of values that Markdown would read as markup are escaped. */
export function markdownFrom(entities: readonly Entity[], columns: TableColumns): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const escaped = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]~#|<>&]/g, '\\$&')
  const [head = '', ...rows] = linesOf(entities, columns, escaped, row).split('\n')
  return [head, row(['---', ...columns.fields.map(() => '---')]), ...rows].join('\n')
}

function linesOf(
  entities: readonly Entity[],
  { title, fields }: TableColumns,
  format: (text: string) => string,
  line: (cells: readonly string[]) => string,
): string {
  const head = [
    title,
    ...fields.map(({ label, unit }) => (unit === undefined ? label : `${label} (${unit})`)),
  ]
  const rows = entities.map((entity) => [
    nameOf(entity),
    ...fields.map(({ name }) => cellText(member(entity.attributes, name))),
  ])
  return [head, ...rows].map((cells) => `${line(cells.map(format))}\n`).join('')
}

function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(cellText).join('; ')
  const id = member(value, 'type') === undefined ? undefined : member(value, 'id')
  if (typeof id === 'string') return id
  return isObject(value) ? jsonLineOf(value) : String(value)
}
