import type { Query, Result, ScoredKey } from '../port/search-query.ts'
import type { Counts } from './counts.ts'
import type { TopK } from './top-k.ts'

/** Returns the page after the query's position. Set `partial` if time ran out. `matched` must be in ascending order. */
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
