import type { Query, Result, SortKey, SortPosition } from '@worldwright/core/store'
import type { ScoredKey } from '@worldwright/search'
import type { Asked } from './asked.ts'
import { type EngineQuery, within } from './clause-queries.ts'
import { valueField } from './documents.ts'

/** Tie-break by type, then id. */
const BY_KEY = [{ type: 'asc' }, { id: 'asc' }]

/** Sort key that a cluster supports. */
type ValueKey = Extract<SortKey, { by: 'value' }>

/** Reports whether a cluster can sort by these keys: only by values, since scores span levels and rounded distances tie. */
export function canSort(sort: readonly SortKey[]): sort is readonly ValueKey[] {
  return sort.every(({ by }) => by === 'value')
}

/** Returns the next `limit` documents of a query after a sort position, and the last sort position if more follow. */
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

/** Converts a sort position for `search_after`. A missing number is replaced by the infinity that sorts last. */
function placeOf(sort: readonly ValueKey[], { values, type, id }: SortPosition): unknown[] {
  const placed = sort.map((key, at) => {
    const value = values[at] ?? null
    if (typeof value === 'boolean') return String(value)
    if (value !== null || !isNumeric(key.kind)) return value
    return key.descending ? '-Infinity' : 'Infinity'
  })
  return [...placed, type, id]
}

/** Converts an OpenSearch sort value to a value of a sort position. */
function keptValue({ kind }: ValueKey, value: unknown): SortPosition['values'][number] {
  if (kind === 'boolean') return value === null ? null : value === 'true'
  if (!isNumeric(kind)) return value as string | null
  return typeof value === 'number' ? value : null
}
