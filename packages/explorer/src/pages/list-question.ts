/** What a list page asks of its world. */
import type { JsonObject } from '@worldwright/client'
import type { Askable } from '../question/askable.ts'
import { conditionFrom } from '../question/cql.ts'
import { type Asked, conditionOf } from '../question/filters.ts'
import { nearSort } from '../question/near.ts'

/** What a list asks, as the world takes it. Rejects with `invalid_argument` where its condition is no CQL2-Text. */
export async function questionOf(
  type: string,
  asked: Asked,
  askables: readonly Askable[],
): Promise<JsonObject> {
  const { text, filters, cql, sort, near } = asked
  const where = conditionOf(filters, askables, await conditionFrom(cql))
  const order = near === undefined ? sort : nearSort(near)
  return {
    types: [type],
    ...(text !== '' && { text }),
    ...(where && { where }),
    ...(order !== '' && { sort: [order] }),
  }
}
