/** Fetches the results of a text plan in pages, best first, along with the counts. */

import type { Query, Result, SortPosition } from '@worldwright/core/store'
import type { ScoredKey } from '@worldwright/search'
import type { Asked, SearchBody } from './asked.ts'
import { type EngineQuery, within } from './clause-queries.ts'
import type { Level } from './text-plan.ts'

/** Maximum number of types counted, more than any world has. */
const TYPES = 10_000

/** Sort order: best score first, with ties in byte order of type and id. */
const BY_SCORE = [{ _score: 'desc' }, { type: 'asc' }, { id: 'asc' }]

/** Returns the best `limit` documents in all levels after a sort position, and the last one's position if more follow. */
export async function rankedPage(
  asked: Asked,
  levels: readonly Level[],
  filter: readonly EngineQuery[],
  { after, limit }: Pick<Query, 'after' | 'limit'>,
): Promise<Pick<Result<ScoredKey>, 'hits' | 'last'>> {
  if (limit === 0) return { hits: [] }
  const parts = levelsOf(levels)
  const bodies = parts.flatMap((part) => levelBody(part, filter, after, limit + 1) ?? [])
  const answers = await asked.search(bodies.map(({ body }) => body))
  const found = answers.flatMap(({ hits }, at) =>
    hits.hits.map(({ sort: [score, type, id] }: { sort: [number, string, string] }) => ({
      key: { type, id },
      score: (bodies[at]?.tierScore ?? 0) + score,
    })),
  )
  const hits: ScoredKey[] = found.slice(0, limit)
  const last = hits.at(-1)
  return { hits, ...(last && found.length > limit && { last: { ...last.key, values: [last.score] } }) }
}

/** Returns the id in the index and the score of the best document that matches a query, or undefined if none does. */
export async function bestOf(
  asked: Asked,
  query: EngineQuery,
  filter: readonly EngineQuery[],
): Promise<{ readonly id: string; readonly score: number } | undefined> {
  const body = {
    size: 1,
    _source: false,
    track_total_hits: false,
    query: within(query, filter),
    sort: BY_SCORE,
  }
  const [{ hits }] = await asked.search([body])
  const [best] = hits.hits
  return best && { id: best._id, score: best.sort[0] }
}

/** Level that excludes the documents of better levels. */
interface Part extends Level {
  readonly better: readonly EngineQuery[]
}

/** Merges levels with equal tier scores. A document that matches several merged levels gets its best score. */
function levelsOf(levels: readonly Level[]): Part[] {
  const parts: Part[] = []
  const better: EngineQuery[] = []
  for (const [tierScore, same] of Map.groupBy(levels, (level) => level.tierScore)) {
    const queries = same.map(({ query }) => query)
    parts.push({ tierScore, query: { dis_max: { queries } }, better: [...better] })
    better.push(...queries)
  }
  return parts
}

/** Returns a level's search for documents after a sort position, or undefined if the position is past the level. */
function levelBody(
  { tierScore, query, better }: Part,
  filter: readonly EngineQuery[],
  after: SortPosition | undefined,
  size: number,
): { readonly tierScore: number; readonly body: SearchBody } | undefined {
  const reached = Number(after?.values[0] ?? Number.POSITIVE_INFINITY)
  if (reached < tierScore) return undefined
  // Scores are far smaller than the gap between two levels, so for a position in a better level this exceeds any score.
  const from = Math.min(reached - tierScore, 3e38)
  return {
    tierScore,
    body: {
      size,
      _source: false,
      track_total_hits: false,
      query: { bool: { must: query, filter, must_not: better } },
      sort: BY_SCORE,
      ...(after && { search_after: [from, after.type, after.id] }),
    },
  }
}

/** Returns the search that counts the documents matching any query in `found`, in total and by type, and runs `aggs`. */
export function numbersBody(
  found: readonly EngineQuery[],
  filter: readonly EngineQuery[],
  aggs: Readonly<Record<string, unknown>> = {},
): SearchBody {
  return {
    size: 0,
    track_total_hits: true,
    query: within({ bool: { should: found, minimum_should_match: 1 } }, filter),
    aggs: { types: { terms: { field: 'type', size: TYPES } }, ...aggs },
  }
}

/** Extracts the counts from the response to `numbersBody`. */
export function numbersIn(
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the cluster.
  { hits, aggregations }: any,
): Pick<Result<ScoredKey>, 'total' | 'counts'> {
  const buckets: { key: string; doc_count: number }[] = aggregations.types.buckets
  const counts = buckets.map(({ key, doc_count }) => [key, doc_count] as const)
  return {
    total: hits.total.value,
    counts: Object.fromEntries(counts.sort(([left], [right]) => (left < right ? -1 : 1))),
  }
}
