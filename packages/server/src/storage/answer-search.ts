/** From what an engine's index or its types say to the answer of a search: the same for every engine. */
import type { Answer, Question } from '../search/port/query.ts'
import type { Found, SearchQuery, StoredEntity, TypeState } from './contract.ts'

/** What of its own an engine is asked while it answers one search, all of it from one snapshot. */
export interface SearchSource {
  find(question: Question): Answer
  get(type: string, id: string): StoredEntity | undefined
  /** Ascending by type. */
  types(): ReadonlyMap<string, TypeState>
  /** The first entities of a type, ascending by id. */
  first(type: string, limit: number): readonly StoredEntity[]
}

/** Answers a search. */
export function answerSearch(source: SearchSource, query: SearchQuery): Found {
  const { text = '', types, limit, budgetMs } = query
  if (text.trim() === '') return everything(source, types, limit)
  const { hits, ...numbers } = source.find({ text, types, limit, budgetMs })
  const found = hits.map(({ key }) => source.get(key.type, key.id))
  return { entities: found.filter((entity) => entity !== undefined), ...numbers }
}

function everything(source: SearchSource, types: readonly string[] | undefined, limit: number): Found {
  const wanted = types && new Set(types)
  let entities: StoredEntity[] = []
  const counts: Record<string, number> = {}
  let total = 0
  for (const [type, { count }] of source.types()) {
    if (count === 0 || wanted?.has(type) === false) continue
    counts[type] = count
    total += count
    const room = limit - entities.length
    if (room > 0) entities = entities.concat(source.first(type, room))
  }
  return { entities, total, counts, totalIsLowerBound: false, partial: false, matched: [] }
}
