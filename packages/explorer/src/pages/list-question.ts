/** What a list page asks of its world. */
import type { JsonObject } from '@worldwright/client'
import type { Askable } from '../question/askable.ts'
import { conditionFrom } from '../question/cql.ts'
import { type Asked, conditionOf } from '../question/filters.ts'

/** What a list asks, as the world takes it. Rejects with `invalid_argument` where its condition is no CQL2-Text. */
export async function questionOf(
  type: string,
  asked: Asked,
  askables: readonly Askable[],
): Promise<JsonObject> {
  const { text, filters, cql, sort } = asked
  const where = conditionOf(filters, askables, await conditionFrom(cql))
  return {
    types: [type],
    ...(text !== '' && { text }),
    ...(where && { where }),
    ...(sort !== '' && { sort: [sort] }),
  }
}
