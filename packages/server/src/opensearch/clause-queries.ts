/** From clauses of a question to queries of OpenSearch, which score as the index in a file does. */
import type { Clause, Expansion } from '../search/read/clauses.ts'
import type { NameKind } from '../search/text/names.ts'
import { featureOf } from './documents.ts'

/** A query in the language of OpenSearch. */
export type EngineQuery = Readonly<Record<string, unknown>>

/** Documents that hold any expansion of a clause: the best one counts. */
export function clauseQuery({ expansions, weight }: Clause): EngineQuery {
  const byBoost = Map.groupBy(expansions, ({ boost }) => boost)
  return bestOf(
    [...byBoost].map(([boost, same]) => {
      if (boost === 1) return bestOf(same.map((expansion) => expansionQuery(expansion, weight)))
      return boostedQuery(bestOf(same.map((expansion) => expansionQuery(expansion))), boost, weight)
    }),
  )
}

/** Documents that hold an expansion, without its boost. Of several terms the first one is scored, where the index in a file takes the least impact. */
export function expansionQuery({ term, and = [] }: Expansion, weight = 1): EngineQuery {
  const first = termQuery(term, weight)
  return and.length === 0 ? first : { bool: { must: first, filter: and.map((each) => termQuery(each, 1)) } }
}

/** Boosted impacts are rounded, as the index in a file rounds them: what is equal there has to be equal here. */
const BOOSTED = 'weight * max(1, floor(boost * _score + 0.5))'

function boostedQuery(query: EngineQuery, boost: number, weight: number): EngineQuery {
  const script = { lang: 'expression', source: BOOSTED, params: { boost, weight } }
  return { function_score: { query, script_score: { script }, boost_mode: 'replace' } }
}

function bestOf(queries: readonly EngineQuery[]): EngineQuery {
  const [only] = queries
  return only && queries.length === 1 ? only : { dis_max: { queries } }
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
