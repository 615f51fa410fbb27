/** Output for readers: data as lines, tables and pairs, each as wide as its terminal. */
import { once } from 'node:events'
import { styleText } from 'node:util'
import type { Io, Level, Output } from './io.ts'
import { visible } from './visible.ts'
import { cutTo, padTo, widthOf } from './width.ts'

/** Text for something that a world with other names may well have. */
export const NOT_RECOGNISED = 'not recognised'

/** Writes one line, and waits while the reader is behind. */
export async function writeLine(output: Output, line: string): Promise<void> {
  if (!output.write(`${line}\n`)) await once(output, 'drain')
}

/** Writes text as it is, and waits while the reader is behind. */
export async function writePiece(output: NodeJS.WritableStream, text: string | Uint8Array): Promise<void> {
  if (!output.write(text)) await once(output, 'drain')
}

/** Writes a line for people, or a record if the output is a log. */
export function say({ stderr }: Pick<Io, 'stderr'>, line: string, level: Level = 'info'): void {
  if (stderr.report) stderr.report(level, line)
  else stderr.write(`${line}\n`)
}

/** Formats a number with its noun, in the plural if needed. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}

/** Colours text if the output is a terminal and colour is not disabled (NO_COLOR). */
export function styled(output: Output, format: Parameters<typeof styleText>[0], text: string): string {
  return styleText(format, text, { stream: output })
}

/** Returns the columns of the terminal; without one, infinity, so that nothing is truncated. */
export function columnsOf(output: Output): number {
  return output.isTTY ? (output.columns ?? 80) : Number.POSITIVE_INFINITY
}

/** Minimum width of a column that is truncated. */
const LEAST_COLUMN = 8

/**
 * Formats rows under a heading, in columns. Cells are made visible. If a line would be wider than the output, the widest
 * columns are truncated first.
 */
export function tableLines(output: Output, heading: readonly string[], rows: readonly (readonly string[])[]) {
  const cells = rows.map((row) => row.map(visible))
  const widths = heading.map((title, column) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '')), widthOf(title)),
  )
  shrink(widths, columnsOf(output) - 2 * (heading.length - 1))
  const fitted = (cell: string, width = 0) => padTo(cutTo(cell, width), width)
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => fitted(cell, widths[column]))
      .join('  ')
      .trimEnd()
  return [styled(output, 'bold', lineOf(heading)), ...cells.map(lineOf)]
}

/** Formats names and values side by side, one pair a line. Both are made visible. */
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
