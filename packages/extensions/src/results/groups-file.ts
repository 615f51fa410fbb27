import type { JsonValue } from '@worldwright/client/protocol'
import { groupTable, type QueryOutput } from '@worldwright/client/query'
import { fieldsFault } from '@worldwright/core'
import { groupsJson } from '../query/group-json.ts'
import { QUERY_MAX_GROUPS } from '../query/limits.ts'
import { answerPage } from '../query/query-action.ts'
import type { Question } from '../query/read-input.ts'
import { type ResultContext, whole } from './result-snapshot.ts'

/** Writes rows under named columns. */
export type WriteTable = (
  columns: readonly string[],
  rows: readonly (readonly JsonValue[])[],
) => Promise<string>

/**
 * Returns the groups of a question as a file: all of them, or the first ones if `groupLimit` is given.
 * @throws WorldFault `invalid_input` for more groups than a file holds; as `whole`
 */
export async function groupsFile(
  { group, ...question }: Question,
  isLimited: boolean,
  write: WriteTable,
  context: ResultContext,
): Promise<string> {
  const asked = group && { ...group, ...(!isLimited && { limit: QUERY_MAX_GROUPS }) }
  const { groups } = whole(await answerPage({ ...question, group: asked, limit: 0 }, context))
  if (!group || !groups) return ''
  if (!isLimited && groups.total > QUERY_MAX_GROUPS) {
    const message = `There are ${groups.total} groups, and a file holds ${QUERY_MAX_GROUPS} at most: use wider groups, or groupLimit for the first ones.`
    throw fieldsFault('invalid_input', message, [
      { in: 'body', pointer: '/input/group', reason: 'too_many', message },
    ])
  }
  const { columns, rows } = groupTable(groupsJson(group, groups) as Partial<QueryOutput>)
  return write(columns, rows)
}
