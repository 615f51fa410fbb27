/** What a list page asks of its world, and how its table is sorted. */
import type { JsonObject } from '@worldwright/client'
import type { Askable, ValueKind } from '../question/askable.ts'
import { conditionFrom } from '../question/cql.ts'
import { type Asked, conditionOf } from '../question/filters.ts'
import { type Order, TITLE } from './entity-table.tsx'

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

const SORTABLE: ReadonlySet<ValueKind> = new Set(['number', 'boolean', 'text', 'instant'])

/** How the table's headers sort: up, then down, then not. */
export function orderOf(asked: Asked, askables: readonly Askable[], onAsked: (asked: Asked) => void): Order {
  const { sort } = asked
  const keys = askables.filter(({ kind }) => SORTABLE.has(kind)).map(({ key }) => key)
  return {
    keys: new Set([TITLE, ...keys]),
    by: sort.replace(/^-/, ''),
    isDescending: sort.startsWith('-'),
    onSort: (key) => onAsked({ ...asked, sort: sort === key ? `-${key}` : sort === `-${key}` ? '' : key }),
  }
}
