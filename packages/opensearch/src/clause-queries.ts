/** Converts clauses of a query to OpenSearch queries that score like an index in a file. */
import type { Clause, Expansion, NameKind } from '@worldwright/search'
import { featureOf } from './documents.ts'

/** A query in the query language of OpenSearch. */
export type EngineQuery = Readonly<Record<string, unknown>>

/** Matches documents with any expansion of a clause, scored by the best one. `place`: index of the clause in the sum. */
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

/** Matches an expansion, without its boost. Of several terms the first is scored; an index in a file takes the least impact. */
export function expansionQuery({ term, and = [] }: Expansion, weight = 1): EngineQuery {
  const first = termQuery(term, weight)
  return and.length === 0 ? first : { bool: { must: first, filter: and.map((each) => termQuery(each, 1)) } }
}

/** Boosted impacts are rounded as in an index in a file, so that ties there are ties here. */
const BOOSTED = 'weight * max(1, floor(boost * _score + 0.5))'

/**
 * Two misspelt words may be corrected to the same one. Lucene merges equal queries into one of twice the score, which would
 * be rounded once; the index of the clause makes each query distinct.
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

/** Matches documents with a term; the score is its impact times `boost`. */
export function termQuery(term: string, boost: number): EngineQuery {
  return { rank_feature: { field: `terms.${featureOf(term)}`, linear: {}, boost } }
}

/** Matches documents with every clause; scores add up. */
export function allQuery(clauses: readonly Clause[]): EngineQuery {
  return { bool: { must: clauses.map((clause, place) => clauseQuery(clause, place)) } }
}

/** Matches documents with any clause; scores add up. */
export function anyQuery(clauses: readonly Clause[]): EngineQuery {
  return {
    bool: { should: clauses.map((clause, place) => clauseQuery(clause, place)), minimum_should_match: 1 },
  }
}

/** Matches documents with one of these names of a kind, as `nameTerm` encodes them; scored by the clauses that they match. */
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

/** Matches documents with one of these names of a kind, without a score. */
export function nameFilter(kind: keyof typeof NameKind, names: readonly string[]): EngineQuery {
  return { terms: { [`names.${kind}`]: names } }
}

/** Restricts a query by filters, which do not score. */
export function within(query: EngineQuery, filter: readonly EngineQuery[]): EngineQuery {
  return filter.length === 0 ? query : { bool: { must: query, filter } }
}
