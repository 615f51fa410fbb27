import {
  type FacetRequest,
  type FacetResult,
  isJoined,
  type Query,
  type Result,
} from '@worldwright/core/store'
import type { QueryContext, ScoredKey, Vocabulary } from '@worldwright/search'
import {
  ANYWHERE,
  broadOf,
  Deadline,
  type Expansion,
  isCommon,
  isOfSome,
  Matched,
  pathKey,
  pathsOf,
  readingOf,
  similarClauses,
  superlativeIn,
  whyOf,
} from '@worldwright/search'
import type { Asked } from './asked.ts'
import { anyQuery, type EngineQuery, expansionQuery } from './clause-queries.ts'
import { documentId } from './documents.ts'
import { facetAggregations, facetIn, histogramAggregations } from './facet-aggregations.ts'
import type { Seen } from './index-view.ts'
import { bestOf, numbersBody, numbersIn, rankedPage } from './ranked-search.ts'
import { canSort, sortedPage } from './sorted-page.ts'
import { type TextPlan, type TextPlanContext, textPlan } from './text-plan.ts'
import { NOTHING, whereQuery } from './where-query.ts'

/** Maximum length of a facet's target as JSON, in characters. Any of them may need escaping in the regular expression. */
const MAX_TARGET = 400

/**
 * Reports whether a cluster can answer a query. If not, as for distance sorts, groups and paths through references, the
 * store's own index answers it.
 */
export function canSearch(query: Query): boolean {
  const { sort = [], facets = [], group } = query
  const isShort = (facet: FacetRequest) =>
    facet.facet !== 'referrers' || JSON.stringify(facet.target).length <= MAX_TARGET
  if (group !== undefined || [...pathsOf(query)].some(isJoined)) return false
  return (isByRelevance(sort) || canSort(sort)) && facets.every(isShort)
}

/** Answers a query for which `canSearch` is true. @throws StoreFault `search_unreachable` */
export async function searchIndex(
  asked: Asked,
  seen: Seen,
  query: Query,
  context: QueryContext,
): Promise<Result<ScoredKey>> {
  const synonyms = query.plain ? context.synonyms.plain : context.synonyms
  const vocabulary = seen.words.vocabulary(new Deadline(query.budgetMs, query.signal))
  const reading = readingOf(query, synonyms, (term) => isOfSome(term, vocabulary, seen.words.documents))
  const found = await Promise.all(reading.queries.map((one) => searchIndex(asked, seen, one, context)))
  const superlative = superlativeIn(reading, found)
  const result = await searchWords(asked, seen, query, { ...context, synonyms, superlative })
  const broad = broadOf(query, result, { vocabulary, documents: seen.words.documents })
  return { ...result, ...whyOf(reading, found), ...broad }
}

async function searchWords(
  asked: Asked,
  { words }: Seen,
  query: Query,
  context: QueryContext,
): Promise<Result<ScoredKey>> {
  const { types, where, similar, sort = [], budgetMs, signal } = query
  const deadline = new Deadline(budgetMs, signal)
  const vocabulary = words.vocabulary(deadline)
  const { documents } = words
  const ofTypes: EngineQuery[] = types ? [{ terms: { type: types } }] : []
  const itself = similar && { bool: { must_not: { ids: { values: [documentId(similar)] } } } }
  const filter = [...ofTypes, ...(where ? [whereQuery(where)] : []), ...(itself ? [itself] : [])]
  const countWithin = (within: readonly EngineQuery[]) => (queries: readonly EngineQuery[]) =>
    asked.counts(queries.map((one) => ({ bool: { filter: [one, ...within] } })))
  // The counts behind the plan are restricted by type only. Conditions filter the results but do not change the plan.
  const counts = countWithin(ofTypes)
  const best = (one: EngineQuery) => bestOf(asked, one, ofTypes)
  const plan = await planOf(query, {
    vocabulary,
    documents,
    counts,
    best,
    unfinished: query.unfinished,
    ...context,
  })
  if (deadline.leftOut) asked.isPartial = true
  const found = plan?.found ?? [{ match_all: {} }]
  // Filters may have excluded every document with such an expansion, or perhaps no document contains all of its terms.
  const unsure = (plan?.matched.expansions() ?? []).filter(({ and }) => types || where || similar || and)
  const [page, numbers, held, unindexed] = await Promise.all([
    plan && isByRelevance(sort)
      ? rankedPage(asked, plan.levels, filter, query)
      : sortedPage(asked, anyFound(found), filter, canSort(sort) ? sort : [], query),
    numbersOf(asked, found, filter, query),
    countWithin(filter)(unsure.map((expansion) => expansionQuery(expansion))),
    unindexedIn(query, counts),
  ])
  const missing = new Set(unsure.filter((_, at) => held[at] === 0))
  return {
    ...page,
    ...numbers,
    totalIsLowerBound: asked.isPartial,
    partial: asked.isPartial,
    matched: matchedIn(plan, missing, similar ? undefined : { vocabulary, documents }),
    ...(unindexed > 0 && { unindexed }),
  }
}

/** Returns the plan for a query's text or similar entity, or undefined if it has neither. */
async function planOf(
  { text = '', similar }: Query,
  context: TextPlanContext & QueryContext,
): Promise<TextPlan | undefined> {
  if (text.trim() !== '') return textPlan(text, context)
  if (!similar) return undefined
  const { terms, vocabulary, documents } = context
  const clauses = similarClauses(terms, vocabulary, documents)
  const matched = new Matched()
  matched.note(clauses.map(({ expansions }) => expansions))
  if (clauses.length === 0) return { levels: [], found: [], matched }
  const query = anyQuery(clauses)
  return { levels: [{ tierScore: 0, query }], found: [query], matched }
}

function isByRelevance(sort: Query['sort'] = []): boolean {
  return sort.length === 0 || (sort.length === 1 && sort[0]?.by === 'relevance')
}

function anyFound(found: readonly EngineQuery[]): EngineQuery {
  return found.length === 0 ? NOTHING : { bool: { should: found, minimum_should_match: 1 } }
}

/** Returns the counts and facets of the whole result. Histograms require a second search. */
async function numbersOf(
  asked: Asked,
  found: readonly EngineQuery[],
  filter: readonly EngineQuery[],
  { facets }: Query,
): Promise<Pick<Result<ScoredKey>, 'total' | 'counts' | 'facets'>> {
  const all = [anyFound(found)]
  const wrapped = (of: (facet: FacetRequest, at: number) => object | undefined) =>
    Object.fromEntries(
      (facets ?? []).flatMap((facet, at) => {
        const aggs = of(facet, at)
        return aggs ? [[`facet-${at}`, { filter: { match_all: {} }, aggs }]] : []
      }),
    )
  const [first] = await asked.search([numbersBody(all, filter, wrapped(facetAggregations))])
  const numbers = numbersIn(first)
  if (!facets) return numbers
  const answers = facets.map((_, at) => first.aggregations[`facet-${at}`])
  const second = wrapped((facet, at) =>
    facet.facet === 'histogram' ? histogramAggregations(facet, answers[at]) : undefined,
  )
  const more = Object.keys(second).length > 0 && (await asked.search([numbersBody(all, filter, second)]))
  const results = facets.map((facet, at): FacetResult => {
    const added = more ? more[0].aggregations[`facet-${at}`] : undefined
    const result = facetIn(facet, { ...answers[at], ...added }, numbers.total)
    return asked.isPartial ? { ...result, partial: true } : result
  })
  return { ...numbers, facets: results }
}

async function unindexedIn(query: Query, counts: TextPlanContext['counts']): Promise<number> {
  const paths = [...new Set([...pathsOf(query)].map(pathKey))]
  if (paths.length === 0) return 0
  return (await counts([{ terms: { unindexed: [...paths, ANYWHERE] } }]))[0] ?? 0
}

/** Returns the words that matched. For a `similar` query, they include common words. */
function matchedIn(
  plan: TextPlan | undefined,
  missing: ReadonlySet<Expansion>,
  common: { readonly vocabulary: Vocabulary; readonly documents: number } | undefined,
): readonly string[] {
  return (plan?.matched ?? new Matched()).terms(
    (expansion) => !missing.has(expansion),
    (expansion) => common !== undefined && isCommon(expansion, common.vocabulary, common.documents),
  )
}
