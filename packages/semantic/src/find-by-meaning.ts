/** Searches whose first hundred hits are ordered by meaning as well. */
import type { Entity } from '@worldwright/client/protocol'
import type { Found, Query, Store, StoredEntity } from '@worldwright/core/store'
import { normalizedName } from '@worldwright/search'
import { searchDocumentOf } from '@worldwright/search/entities'
import type { Meaning } from './meaning.ts'
import { reranked } from './rerank.ts'

/** How many hits are put in another order: what words find no better than this, meaning does not find. */
export const FIRST = 100

/** Less time than this is not worth asking with. */
const LEAST_MS = 5

/** Which hits are ordered by meaning, and by what. */
export interface ByMeaning {
  readonly meaning: Meaning
  /** Hits of other types keep their places. */
  readonly types: ReadonlySet<string>
}

/**
 * Answers as the store does, but for the order of the first hundred hits by relevance. A hit keeps its place where it is of another
 * type, one of its names is the question, or its vector is not known yet; where time is up, all do. Facets and numbers stay.
 *
 * A place among the hundred is kept as the negative number of hits before the next one: a score is never negative.
 */
export function findByMeaning(storage: Pick<Store, 'find'>, { meaning, types }: ByMeaning): Store['find'] {
  return async (query) => {
    const began = performance.now()
    const { text = '', after, limit } = query
    const place = Number(after?.values[0] ?? 0)
    if (!isOrdered(query) || (after && place >= 0)) return storage.find(query)
    const { after: _, ...first } = query
    const found = await storage.find({ ...first, limit: Math.max(FIRST, limit) })
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

/** One of the names of the entity is the question: nothing can mean it better. */
function isNamed({ json }: StoredEntity, text: string): boolean {
  const { id, title, aliases } = searchDocumentOf(JSON.parse(json) as Entity)
  const asked = normalizedName(text)
  return [id, title, ...aliases].some((name) => normalizedName(name) === asked)
}

/** The part of the hits that is asked for, and where it ends. `after`: the hit before it, and how many there were before that. */
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
