/** From what an engine's index or its types say to the result of a query: the same for every engine. */
import type { ScoredKey } from '../search/port/search-query.ts'
import type { Query, Result, StoredEntity, TypeState } from './contract.ts'

/** What of its own an engine is asked while it answers one query, all of it from one snapshot. */
export interface QuerySource {
  /** Asks the index. The query has text. */
  search(query: Query): Result<ScoredKey>
  get(type: string, id: string): StoredEntity | undefined
  /** Ascending by type. */
  types(): ReadonlyMap<string, TypeState>
  /** The first entities of a type, ascending by id. */
  first(type: string, limit: number): readonly StoredEntity[]
}

/** Answers a query: by the index where it has text, else with everything. */
export function answerQuery(source: QuerySource, query: Query): Result<StoredEntity> {
  if ((query.text ?? '').trim() === '') return everything(source, query)
  const result = source.search(query)
  const found = result.hits.map(({ key }) => source.get(key.type, key.id))
  return { ...result, hits: found.filter((entity) => entity !== undefined) }
}

function everything(source: QuerySource, { types, limit }: Query): Result<StoredEntity> {
  const wanted = types && new Set(types)
  let hits: StoredEntity[] = []
  const counts: Record<string, number> = {}
  let total = 0
  for (const [type, { count }] of source.types()) {
    if (count === 0 || wanted?.has(type) === false) continue
    counts[type] = count
    total += count
    const room = limit - hits.length
    if (room > 0) hits = hits.concat(source.first(type, room))
  }
  return { hits, total, counts, totalIsLowerBound: false, partial: false, matched: [] }
}
