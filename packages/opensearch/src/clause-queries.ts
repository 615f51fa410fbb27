/** From clauses of a question to queries of OpenSearch, which score as the index in a file does. */
import type { Clause, Expansion, NameKind } from '@worldwright/search'
import { featureOf } from './documents.ts'

/** A query in the language of OpenSearch. */
export type EngineQuery = Readonly<Record<string, unknown>>

/** Documents that hold any expansion of a clause: the best one counts. `place`: of the clause among those that are added up. */
export function clauseQuery({ expansions, weight }: Clause, place = 0): EngineQuery {
  const byBoost = Map.groupBy(expansions, ({ boost }) => boost)
  return bestOf(
    [...byBoost].map(([boost, same]) => {
      if (boost === 1) return bestOf(same.map((expansion) => expansionQuery(expansion, weight)))
      const found = bestOf(same.map((expansion) => expansionQuery(expansion)))
      return boostedQuery(found, { boost, weight, place })
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

/**
 * Two misspelt words may be corrected to one. Lucene merges queries that are equal into one of twice the score, which would be rounded
 * once: the place of its clause makes each a query of its own.
 */
function boostedQuery(
  query: EngineQuery,
  params: Readonly<Record<'boost' | 'weight' | 'place', number>>,
): EngineQuery {
  const script = { lang: 'expression', source: BOOSTED, params }
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
  return { bool: { must: clauses.map((clause, place) => clauseQuery(clause, place)) } }
}

/** Documents that hold any clause: scores add up. */
export function anyQuery(clauses: readonly Clause[]): EngineQuery {
  return {
    bool: { should: clauses.map((clause, place) => clauseQuery(clause, place)), minimum_should_match: 1 },
  }
}

/** Documents of these names by their kind, as `nameTerm` gives them; scored by the clauses that they hold. */
export function namedQuery(
  kind: keyof typeof NameKind,
  names: readonly string[],
  clauses: readonly Clause[],
): EngineQuery {
  return {
    bool: {
      filter: nameFilter(kind, names),
      should: clauses.map((clause, place) => clauseQuery(clause, place)),
    },
  }
}

/** Documents of these names by their kind, without a score. */
export function nameFilter(kind: keyof typeof NameKind, names: readonly string[]): EngineQuery {
  return { terms: { [`names.${kind}`]: names } }
}

/** A query within others that are not scored. */
export function within(query: EngineQuery, filter: readonly EngineQuery[]): EngineQuery {
  return filter.length === 0 ? query : { bool: { must: query, filter } }
}
