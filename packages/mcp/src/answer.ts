/** Answers of tools: words of this server around data of a world, within a budget of tokens. */
import { quoted, tokensIn } from './text.ts'

/** Default budget of an answer, in tokens. */
export const BUDGET = 2_000

/** Parts of an answer. Only `rows` contain text of the world that is not a name, an id or an address. */
export interface Answer {
  /** Lines before the data. */
  readonly head: readonly string[]
  /** Lines of data, the most useful first. */
  readonly rows: readonly string[]
  /** Returns the lines after the data: what was left out, given the number of rows shown, and the call that goes on. */
  readonly tail?: (shown: number) => readonly string[]
}

/** Writes an answer within `budget` tokens, as estimated, with as many rows as fit, and at least the start of one. */
export function answerText(world: string, { head, rows, tail = () => [] }: Answer, budget: number): string {
  const begin = [...head, `<data world=${quoted(world)}>`]
  const cost = (lines: readonly string[]) => lines.reduce((sum, line) => sum + tokensIn(line) + 1, 0)
  let left = budget - cost(begin) - Math.max(cost(tail(0)), cost(tail(rows.length))) - 4
  const shown: string[] = []
  for (const row of rows) {
    left -= tokensIn(row) + 1
    if (left < 0) break
    shown.push(row)
  }
  const [first] = rows
  if (first !== undefined && shown.length === 0) shown.push(cut(first, left + tokensIn(first)))
  return [...(rows.length > 0 ? [...begin, ...shown, '</data>'] : head), ...tail(shown.length)].join('\n')
}

/** Returns the beginning of a row within some tokens. The line ends inside a string or between two values. */
function cut(row: string, tokens: number): string {
  const share = Math.max(0, tokens) / Math.max(1, tokensIn(row))
  return `${row.slice(0, Math.max(20, Math.floor(row.length * share))).replace(/[\ud800-\udbff]$/, '')}…`
}
