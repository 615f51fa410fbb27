/** Formats and writes output: lines, and tables and pairs that fit the width of the terminal. */
import { once } from 'node:events'
import { styleText } from 'node:util'
import type { Io, Level, Output } from './io.ts'
import { visible } from './visible.ts'
import { cutTo, padTo, widthOf } from './width.ts'

/** Placeholder for a member that was not found, perhaps because it has a different name. */
export const NOT_RECOGNISED = 'not recognised'

/** Writes one line, and waits for the reader if the buffer is full. */
export async function writeLine(output: Output, line: string): Promise<void> {
  if (!output.write(`${line}\n`)) await once(output, 'drain')
}

/** Writes text unchanged, and waits for the reader if the buffer is full. */
export async function writePiece(output: NodeJS.WritableStream, text: string | Uint8Array): Promise<void> {
  if (!output.write(text)) await once(output, 'drain')
}

/** Writes a message to stderr, or a log record if stderr is a log. */
export function say({ stderr }: Pick<Io, 'stderr'>, line: string, level: Level = 'info'): void {
  if (stderr.report) stderr.report(level, line)
  else stderr.write(`${line}\n`)
}

/** Formats a number with its noun, singular or plural. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}

/** Colours text if the output is a terminal and colour is not disabled (NO_COLOR). */
export function styled(output: Output, format: Parameters<typeof styleText>[0], text: string): string {
  return styleText(format, text, { stream: output })
}

/** Returns the width of the terminal in columns, or infinity if the output is not a terminal. */
export function columnsOf(output: Output): number {
  return output.isTTY ? (output.columns ?? 80) : Number.POSITIVE_INFINITY
}

/** Minimum width to which a column is truncated. */
const LEAST_COLUMN = 8

/**
 * Formats a table with a heading. Invisible characters are escaped. If a line would be wider than the terminal, the widest
 * columns are truncated first.
 */
export function tableLines(output: Output, heading: readonly string[], rows: readonly (readonly string[])[]) {
  const titles = heading.map(visible)
  const cells = rows.map((row) => row.map(visible))
  const widths = titles.map((title, column) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '')), widthOf(title)),
  )
  shrink(widths, columnsOf(output) - 2 * (heading.length - 1))
  const fitted = (cell: string, width = 0) => padTo(cutTo(cell, width), width)
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => fitted(cell, widths[column]))
      .join('  ')
      .trimEnd()
  return [styled(output, 'bold', lineOf(titles)), ...cells.map(lineOf)]
}

/** Formats names and values side by side, one pair per line, with invisible characters escaped. */
export function pairLines(
  output: Output,
  pairs: readonly (readonly [name: string, value: string])[],
): string[] {
  const shown = pairs.map(([name, value]) => [visible(name), visible(value)] as const)
  const width = shown.reduce((widest, [name]) => Math.max(widest, widthOf(name)), 0)
  return shown.map(([name, value]) => `${styled(output, 'dim', padTo(name, width))}  ${value}`)
}

function shrink(widths: number[], room: number): void {
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; ) {
    const widest = Math.max(...widths)
    if (widest <= LEAST_COLUMN) return
    const second = Math.max(LEAST_COLUMN, ...widths.filter((width) => width < widest))
    const cut = Math.min(over, widest - second)
    widths[widths.indexOf(widest)] = widest - cut
    over -= cut
  }
}
