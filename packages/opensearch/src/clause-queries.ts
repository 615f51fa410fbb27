/** Converts query clauses to OpenSearch queries that score documents as a local index does. */
import type { EntityKey } from '@worldwright/core/store'
import {
  type Clause,
  type CoverClause,
  type Expansion,
  heldImpact,
  isNameTerm,
  NameKind,
} from '@worldwright/search'
import { documentId, featureOf } from './documents.ts'

/** Query in the OpenSearch query DSL. */
export type EngineQuery = Readonly<Record<string, unknown>>

/** Matches documents with any expansion of a clause, scored by the best match. `place` is the index of the clause. */
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

/** Matches an expansion, ignoring its boost. Scored by the first term, whereas a local index uses the lowest impact. */
export function expansionQuery({ term, and = [], held }: Expansion, weight = 1): EngineQuery {
  if (held) return heldQuery(held, weight)
  const first = isNameTerm(term) ? nameQuery(term) : termQuery(term, weight)
  return and.length === 0 ? first : { bool: { must: first, filter: and.map((each) => termQuery(each, 1)) } }
}

/** Matches the documents of a superlative, given best first. */
function heldQuery(held: readonly EntityKey[], weight: number): EngineQuery {
  return bestOf(
    held.map((key, at) => ({
      constant_score: { filter: { ids: { values: [documentId(key)] } }, boost: weight * heldImpact(at) },
    })),
  )
}

/** Script that rounds boosted impacts as a local index does, so that the same documents tie. */
const BOOSTED = 'weight * max(1, floor(boost * _score + 0.5))'

/**
 * Boosts the score of a query. Two misspelt words may be corrected to the same word. Lucene would merge their equal queries
 * and round the doubled score only once, so `place` makes each query distinct.
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

/** Matches documents with a term, scored by its impact times `boost`. */
export function termQuery(term: string, boost: number): EngineQuery {
  return { rank_feature: { field: `terms.${featureOf(term)}`, linear: {}, boost } }
}

/** Matches documents that satisfy every clause, scored by the sum over all clauses. */
export function allQuery(clauses: readonly Clause[]): EngineQuery {
  return { bool: { must: clauses.map((clause, place) => clauseQuery(clause, place)) } }
}

/** Matches documents that satisfy any clause, scored by the sum over the satisfied clauses. */
export function anyQuery(clauses: readonly Clause[]): EngineQuery {
  return {
    bool: { should: clauses.map((clause, place) => clauseQuery(clause, place)), minimum_should_match: 1 },
  }
}

/** Matches documents that satisfy any clause, scored by their cover. */
export function coverQuery(clauses: readonly CoverClause[]): EngineQuery {
  const should = clauses.map((clause, place) => ({
    constant_score: { filter: clauseQuery(clause, place), boost: clause.cover },
  }))
  return { bool: { should, minimum_should_match: 1 } }
}

/** Matches documents with any of these names of one kind, encoded by `nameTerm`. Satisfied clauses only add to the score. */
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

/** Kinds of names by which a document is found, from the least direct one (`NameKind`). */
export const KINDS = ['alias', 'title', 'id'] as const

/** Matches documents with a name of any kind, scored by the kind. */
export function nameQuery(name: string): EngineQuery {
  return bestOf(
    KINDS.map((kind) => ({ constant_score: { filter: nameFilter(kind, [name]), boost: NameKind[kind] } })),
  )
}

/** Matches documents with any of these names of one kind, without scoring them. */
export function nameFilter(kind: keyof typeof NameKind, names: readonly string[]): EngineQuery {
  return { terms: { [`names.${kind}`]: names } }
}

/** Restricts a query by filters, which do not affect the score. */
export function within(query: EngineQuery, filter: readonly EngineQuery[]): EngineQuery {
  return filter.length === 0 ? query : { bool: { must: query, filter } }
}
