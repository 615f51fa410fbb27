/** Changes one per line: everything up to now, written while it is read. */
import type { LateFailure } from '../handler/http.ts'
import { CHANGES_MAX } from '../world/limits.ts'
import { changeJson, stateMembers } from './change-json.ts'
import type { ChangeLog, ChangesPage, ChangesRequest } from './change-log.ts'

/**
 * A line for each change, with its `next`, and a last line that says what they came to. Pages are read only as fast as
 * they are taken. What goes wrong on the way is the last line instead.
 * @param first the page that was asked for
 */
export async function* changeLines(
  log: ChangeLog,
  asked: ChangesRequest,
  { first, entities, failed }: { first: ChangesPage; entities: boolean; failed: LateFailure },
): AsyncGenerator<string> {
  try {
    for (let page = first; ; page = await log.read({ ...asked, limit: CHANGES_MAX, since: page.next })) {
      const lines = page.changes.map((change) => {
        const next = log.token(asked.types, change.place)
        return `${changeJson(change, { entities, next })}\n`
      })
      if (page.more) yield lines.join('')
      else return yield `${lines.join('')}{${stateMembers(page)}}\n`
    }
  } catch (error) {
    yield `${JSON.stringify(failed(error))}\n`
  }
}
