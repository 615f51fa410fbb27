/** From the best documents and the counts of a search by rank to its result. */
import type { Query, Result, ScoredKey } from '../port/search-query.ts'
import type { Counts } from './counts.ts'
import type { TopK } from './top-k.ts'

/** The page after the query's place. `partial`: its time was over before all was looked at; `matched`: terms, ascending. */
export function rankedResult(
  { after, limit }: Query,
  top: TopK,
  counts: Counts,
  { partial, matched }: Pick<Result<ScoredKey>, 'partial' | 'matched'>,
): Result<ScoredKey> {
  const found = top.hits(after)
  const hits = found.slice(0, limit)
  const last = hits.at(-1)
  return {
    hits: hits.map(({ score, segment, document }) => ({ key: segment.key(document), score })),
    total: counts.total,
    counts: counts.perType(),
    totalIsLowerBound: !counts.exact || partial,
    partial,
    matched,
    ...(last &&
      found.length > hits.length && { last: { ...last.segment.key(last.document), values: [last.score] } }),
  }
}
