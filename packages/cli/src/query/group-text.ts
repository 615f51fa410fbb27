import type { QueryOutput } from '@worldwright/client'
import type { JsonValue } from '@worldwright/client/protocol'
import { groupTable } from '@worldwright/client/query'
import { count, type Io, jsonText, tableLines, visible } from '@worldwright/serve/terminal'

/** Formats groups with a heading and one line per group. Columns of numbers are aligned to the right. */
export function groupLines(answer: QueryOutput, io: Io): string[] {
  const { columns, rows } = groupTable(answer)
  const keys = answer.group?.length ?? 0
  const isNumeric = columns.map((_, at) =>
    rows.every((row) => row[at] === null || typeof row[at] === 'number'),
  )
  const cells = rows.map((row) => row.map((value, at) => textOf(value, at < keys)))
  const widths = columns.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at]?.length ?? 0)))
  const aligned = (row: readonly string[]) =>
    row.map((cell, at) => (isNumeric[at] ? cell.padStart(widths[at] ?? 0) : cell))
  return tableLines(io.stdout, aligned(columns), cells.map(aligned))
}

/** Returns what the table does not show: further groups, and values that the measures do not cover. */
export function groupNotes({
  groups = [],
  groupsTotal = 0,
  moreGroups,
  measures = [],
}: QueryOutput): string[] {
  const remedy =
    groupsTotal <= 1_000
      ? `--group-limit ${groupsTotal} shows all`
      : groups.length < 1_000
        ? '--group-limit 1000 shows the first 1,000'
        : 'an answer has 1,000 at most, so use wider groups or a condition'
  return [
    ...(moreGroups ? [`${count(groupsTotal - groups.length, 'more group')}: ${remedy}`] : []),
    ...measures
      .filter(({ ignored }) => ignored)
      .map(({ op, property, kind, ignored = 0 }) => {
        const name = `${op}:${[property].flat().join('.')}`
        return `${visible(name)} ignores values of ${count(ignored, 'entity', 'entities')} that are not of the kind ${visible(kind)}`
      }),
  ]
}

/** Formats a value. Keys keep all their digits and have no separators, so that they can be used in a condition. */
function textOf(value: JsonValue | undefined, isKey: boolean): string {
  if (value == null) return '–'
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.join(' ')
  if (typeof value === 'object') return `${value['type']} ${value['id']}`
  if (typeof value === 'boolean' || isKey) return jsonText(value)
  const digits = Math.abs(value) < 1_000 ? { maximumSignificantDigits: 6 } : { maximumFractionDigits: 2 }
  return value.toLocaleString('en', { useGrouping: 'min2', ...digits })
}
