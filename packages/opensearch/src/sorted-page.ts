/** Pages in an order that a question names. */
import type { Query, Result, SortKey, SortPosition } from '@worldwright/core/store'
import type { ScoredKey } from '@worldwright/search'
import type { Asked } from './asked.ts'
import { type EngineQuery, within } from './clause-queries.ts'
import { valueField } from './documents.ts'

/** What is equal by all keys comes by type, then id. */
const BY_KEY = [{ type: 'asc' }, { id: 'asc' }]

/** A key that a cluster orders by. */
type ValueKey = Extract<SortKey, { by: 'value' }>

/** Whether a cluster can order so: scores of several levels are no values, and it keeps places by the centimetre, so that some tie. */
export function canSort(sort: readonly SortKey[]): sort is readonly ValueKey[] {
  return sort.every(({ by }) => by === 'value')
}

/** The documents of a query behind a place, as many as asked for, in its order; and the place of the last, where more follow. */
export async function sortedPage(
  asked: Asked,
  query: EngineQuery,
  filter: readonly EngineQuery[],
  sort: readonly ValueKey[],
  { after, limit }: Pick<Query, 'after' | 'limit'>,
): Promise<Pick<Result<ScoredKey>, 'hits' | 'last'>> {
  if (limit === 0) return { hits: [] }
  const body = {
    size: limit + 1,
    _source: false,
    track_total_hits: false,
    query: within({ bool: { filter: query } }, filter),
    sort: [...sort.map(sortOf), ...BY_KEY],
    ...(after && { search_after: placeOf(sort, after) }),
  }
  const [answer] = await asked.search([body])
  const found: { sort: unknown[] }[] = answer.hits.hits
  const hits = found.slice(0, limit).map(({ sort: values }) => {
    const [type, id] = values.slice(sort.length) as [string, string]
    return { key: { type, id }, score: 0 }
  })
  const last = hits.at(-1)
  if (!last || found.length <= limit) return { hits }
  const values = sort.map((key, at) => keptValue(key, found[limit - 1]?.sort[at]))
  return { hits, last: { ...last.key, values } }
}

function sortOf({ descending, kind, property }: ValueKey): object {
  const order = descending ? { order: 'desc', mode: 'max' } : { order: 'asc', mode: 'min' }
  const type = isNumeric(kind) ? 'double' : 'keyword'
  return { [valueField(property, kind)]: { ...order, missing: '_last', unmapped_type: type } }
}

function isNumeric(kind: string): boolean {
  return kind === 'number' || kind === 'instant'
}

/** A place as OpenSearch goes on from it: a missing number is the last one there is. */
function placeOf(sort: readonly ValueKey[], { values, type, id }: SortPosition): unknown[] {
  const placed = sort.map((key, at) => {
    const value = values[at] ?? null
    if (typeof value === 'boolean') return String(value)
    if (value !== null || !isNumeric(key.kind)) return value
    return key.descending ? '-Infinity' : 'Infinity'
  })
  return [...placed, type, id]
}

/** What a position keeps of a value as OpenSearch sorted by it. */
function keptValue({ kind }: ValueKey, value: unknown): SortPosition['values'][number] {
  if (kind === 'boolean') return value === null ? null : value === 'true'
  if (!isNumeric(kind)) return value as string | null
  return typeof value === 'number' ? value : null
}
