import type { LateFailure } from '@worldwright/core'
import { changeJson, stateMembers } from './change-json.ts'
import type { ChangeLog, ChangesPage } from './change-log.ts'
import { type PieceRequest, readPiece, type Turns } from './turns.ts'

/**
 * Yields the changes up to now as NDJSON: a line per change, including its `next`, and a last line with the state of the
 * log. Reads the log no faster than the client reads. If an error occurs, the last line contains the error instead.
 * @param first the first page, already read
 */
export async function* changeLines(
  log: ChangeLog,
  asked: PieceRequest,
  { first, turns, failed }: { first: ChangesPage; turns: Turns; failed: LateFailure },
): AsyncGenerator<string> {
  const { types } = asked
  const textOf = (page: ChangesPage) => {
    const lines = page.changes.map((change) => {
      const next = log.token(types, change.offset)
      return `${changeJson(change, asked, next)}\n`
    })
    return lines.join('') + (page.more ? '' : `{${stateMembers(page)}}\n`)
  }
  try {
    let [page, text] = [first, textOf(first)]
    while (page.more) {
      yield text
      const request = { ...asked, since: page.next, before: page.changes.length }
      await turns.run(async () => {
        page = await readPiece(log, request)
        text = textOf(page)
      })
    }
    yield text
  } catch (error) {
    yield `${JSON.stringify(failed(error))}\n`
  }
}
