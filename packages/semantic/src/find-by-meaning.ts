/** Reranks the first hundred hits of a search by meaning. */
import type { Entity } from '@worldwright/client/protocol'
import type { Found, Query, Store, StoredEntity } from '@worldwright/core/store'
import { normalizedName } from '@worldwright/search'
import { searchDocumentOf } from '@worldwright/search/entities'
import type { Meaning } from './meaning.ts'
import { reranked } from './rerank.ts'

/** Number of leading hits to rerank. Hits beyond them keep their text ranking. */
export const FIRST = 100

/** Minimum remaining budget for a call to the model, in milliseconds. */
const LEAST_MS = 5

/** The model that reranks hits, and the types it applies to. */
export interface ByMeaning {
  readonly meaning: Meaning
  /** Hits of other types keep their ranks. */
  readonly types: ReadonlySet<string>
}

/**
 * Wraps the store's `find` to rerank the first hundred hits of a search by relevance. A hit keeps its rank if its type is
 * not in `types`, one of its names equals the query, or it has no vector yet. If time runs out, no ranks change. Facets
 * and totals are unchanged. Cursors within the first hundred hits contain the negated number of hits before the next page
 * instead of a score. Scores are never negative, so the two cannot be confused.
 */
export function findByMeaning(store: Pick<Store, 'find'>, { meaning, types }: ByMeaning): Store['find'] {
  return async (query) => {
    const began = performance.now()
    const { text = '', after, limit } = query
    const place = Number(after?.values[0] ?? 0)
    if (!isOrdered(query) || (after && place >= 0)) return store.find(query)
    const { after: _, ...first } = query
    const found = await store.find({ ...first, limit: Math.max(FIRST, limit) })
    const moved = found.hits.slice(0, FIRST)
    const candidates = moved.filter((hit) => types.has(hit.type) && !isNamed(hit, text))
    const left = query.budgetMs - (performance.now() - began)
    const known =
      candidates.length > 1 && left > LEAST_MS
        ? await meaning.similarities(text, candidates, left)
        : undefined
    const similarity = new Map(candidates.map((hit, at) => [hit, known?.[at]]))
    const order = reranked(
      moved,
      moved.map((hit) => similarity.get(hit)),
    )
    return page(
      { ...found, hits: [...order, ...found.hits.slice(FIRST)] },
      after && { ...after, place: -place },
      limit,
    )
  }
}

function isOrdered({ text, similar, sort, limit }: Query): boolean {
  return (text ?? '').trim() !== '' && !similar && (sort ?? []).length === 0 && limit > 0
}

/** Reports whether `text` equals one of the entity's names. Such a hit is the best possible match. */
function isNamed({ json }: StoredEntity, text: string): boolean {
  const { id, title, aliases } = searchDocumentOf(JSON.parse(json) as Entity)
  const asked = normalizedName(text)
  return [id, title, ...aliases].some((name) => normalizedName(name) === asked)
}

/** Returns the page after the hit `after`, and the values for its cursor. `after.place` counts the hits before it. */
function page(
  found: Found,
  after: { readonly type: string; readonly id: string; readonly place: number } | undefined,
  limit: number,
): Found {
  const { last, hits: all, ...numbers } = found
  const known = after ? all.findIndex(({ type, id }) => type === after.type && id === after.id) : -1
  const from = after ? (known < 0 ? after.place : known + 1) : 0
  const hits = all.slice(from, from + limit)
  const end = hits.at(-1)
  if (end === undefined || from + limit >= all.length) return { ...numbers, hits, ...(last && { last }) }
  return { ...numbers, hits, last: { type: end.type, id: end.id, values: [-(from + hits.length)] } }
}
