/** From clauses of a question to queries of OpenSearch, which score as the index in a file does. */
import type { Clause, Expansion } from '../search/read/clauses.ts'
import type { NameKind } from '../search/text/names.ts'
import { featureOf } from './documents.ts'

/** A query in the language of OpenSearch. */
export type EngineQuery = Readonly<Record<string, unknown>>

/** Documents that hold any expansion of a clause: the best one counts. */
export function clauseQuery({ expansions, weight }: Clause): EngineQuery {
  const queries = expansions.map((expansion) => expansionQuery(expansion, weight))
  const [only] = queries
  return only && queries.length === 1 ? only : { dis_max: { queries } }
}

/** Documents that hold an expansion. Of several terms the first one is scored, where the index in a file takes the least impact. */
export function expansionQuery({ term, and = [], boost }: Expansion, weight = 1): EngineQuery {
  const first = termQuery(term, weight * boost)
  return and.length === 0 ? first : { bool: { must: first, filter: and.map((each) => termQuery(each, 1)) } }
}

/** Documents that hold a term, with its impact so many times as the score. */
export function termQuery(term: string, boost: number): EngineQuery {
  return { rank_feature: { field: `terms.${featureOf(term)}`, linear: {}, boost } }
}

/** Documents that hold every clause: scores add up. */
export function allQuery(clauses: readonly Clause[]): EngineQuery {
  return { bool: { must: clauses.map(clauseQuery) } }
}

/** Documents that hold any clause: scores add up. */
export function anyQuery(clauses: readonly Clause[]): EngineQuery {
  return { bool: { should: clauses.map(clauseQuery), minimum_should_match: 1 } }
}

/** Documents of these names by their kind, as `nameTerm` gives them; scored by the clauses that they hold. */
export function namedQuery(
  kind: keyof typeof NameKind,
  names: readonly string[],
  clauses: readonly Clause[],
): EngineQuery {
  return { bool: { filter: nameFilter(kind, names), should: clauses.map(clauseQuery) } }
}

/** Documents of these names by their kind, without a score. */
export function nameFilter(kind: keyof typeof NameKind, names: readonly string[]): EngineQuery {
  return { terms: { [`names.${kind}`]: names } }
}

/** A query within others that are not scored. */
export function within(query: EngineQuery, filter: readonly EngineQuery[]): EngineQuery {
  return filter.length === 0 ? query : { bool: { must: query, filter } }
}
