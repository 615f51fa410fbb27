/** Answers of tools: words of this server around data of a world, within a budget of tokens. */
import { plain, quoted, tokensIn } from './text.ts'

/** Default budget of an answer, in tokens. */
export const BUDGET = 2_000

/** Parts of an answer. Texts of the world stand only in `rows`, apart from names, ids and numbers. */
export interface Answer {
  readonly head: string
  /** Lines of data, the most useful first. */
  readonly rows: readonly string[]
  /** Returns the lines after the data, given the number of rows shown: what was left out, and the call that goes on. */
  tail?(shown: number): (string | false | undefined)[]
}

/** Writes an answer within `budget` tokens, as estimated, with as many rows as fit, and at least the start of one. */
export function answerText(world: string, answer: Answer, budget: number): string {
  // What the tools write is escaped already. No line that slips through may look like one of this server.
  const [head, rows] = [plain(answer.head), answer.rows.map(plain)]
  const lines = (shown: number) =>
    (answer.tail?.(shown) ?? []).filter((line) => typeof line === 'string').map(plain)
  const begin = `${head}\n<data world=${quoted(world)}>`
  const ends = [lines(0), lines(rows.length)].map((end) => tokensIn(end.join('\n')))
  let left = budget - tokensIn(begin) - Math.max(...ends) - 8
  const shown = rows.filter((row) => {
    left = left < 0 ? left : left - tokensIn(row) - 1
    return left >= 0
  })
  const [first] = rows
  if (first !== undefined && shown.length === 0) shown.push(`${first.slice(0, budget / 2)}…`)
  return [...(first === undefined ? [head] : [begin, ...shown, '</data>']), ...lines(shown.length)].join('\n')
}
