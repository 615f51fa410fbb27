/** From what an engine's index or its types say to the answer of a search: the same for every engine. */
import type { Found, SearchQuery, StoredEntity, TypeState } from './contract.ts'
import type { Hits } from './fts.ts'

/** What of its own an engine is asked while it answers one search, all of it from one snapshot. */
export interface SearchSource {
  find(text: string, types: readonly string[] | undefined, limit: number): Hits
  get(type: string, id: string): StoredEntity | undefined
  /** Ascending by type. */
  types(): ReadonlyMap<string, TypeState>
  /** The first entities of a type, ascending by id. */
  first(type: string, limit: number): readonly StoredEntity[]
}

/**
 * Answers a search. Numbers are exact and the budget is not looked at: FTS5 can neither be stopped nor asked for a
 * part of its answer.
 */
export function answerSearch(source: SearchSource, { text = '', types, limit }: SearchQuery): Found {
  const found = text.trim() ? byText(source, text, types, limit) : everything(source, types, limit)
  return { ...found, totalIsLowerBound: false, partial: false }
}

type Answer = Omit<Found, 'totalIsLowerBound' | 'partial'>

function byText(
  source: SearchSource,
  text: string,
  types: readonly string[] | undefined,
  limit: number,
): Answer {
  const { keys, ...numbers } = source.find(text, types, limit)
  const entities = keys.map(({ type, id }) => source.get(type, id)).filter((entity) => entity !== undefined)
  return { entities, ...numbers }
}

function everything(source: SearchSource, types: readonly string[] | undefined, limit: number): Answer {
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
  return { entities, total, counts, matched: [] }
}
