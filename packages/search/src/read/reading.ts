/** Reads words of a query as types, and words such as "largest" as the first entities in an order by an attribute. */
import { MAX_IMPACT } from '../format/postings.ts'
import type { Condition } from '../port/conditions.ts'
import type { DocumentKey } from '../port/document.ts'
import type { Query, Result, ScoredKey } from '../port/search-query.ts'
import { functionWords } from '../text/function-words.ts'
import { type Synonyms, termOf } from '../text/synonyms.ts'
import { tokens } from '../text/tokeniser.ts'
import { typeOfTerm, typeTerm } from '../text/type-terms.ts'
import type { PostingsList } from './postings-iterator.ts'
import type { Segment } from './segment.ts'
import { ENOUGH } from './tiers.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Number of entities of a type that a superlative stands for. */
const FIRST = 3
/** Number of orders above which a superlative is too vague to be read. */
const MOST_ORDERS = 16
/** Kinds of values by which a superlative orders entities. An attribute usually has one of them. */
const KINDS = ['number', 'instant', 'text'] as const

/** A superlative of a query, and the documents that it stands for, best first. */
export interface Superlative {
  readonly term: string
  readonly keys: readonly DocumentKey[]
}

/** Reading of a query's words. */
export interface Reading {
  /** Words read as types, in the order of the text. */
  readonly types: NonNullable<Result<unknown>['why']>
  /** Orders for which a superlative stands, one for each query. */
  readonly orders: NonNullable<Result<unknown>['why']>
  /** Term of the superlative; absent if there is none. */
  readonly term?: string
  /** For each type of the superlative, the query for the documents that it stands for. */
  readonly queries: readonly Query[]
}

/**
 * Reads the words that name a type if `isTelling` is true for its term, and the first superlative. Its types are those named by
 * other words, or else all types that declare it, and its documents match the other words, too.
 */
export function readingOf(
  { text = '', types, where, budgetMs, signal }: Query,
  synonyms: Synonyms,
  isTelling: (term: string) => boolean,
): Reading {
  const words = tokens(text)
  const isAsked = (type: string) => types?.includes(type) !== false
  const named = synonyms
    .of(words)
    .map((found) => found.flatMap(([term = '']) => typeOfTerm(term) ?? []).filter(isAsked))
  const superlative = words.find((word) => synonyms.orders(word).length > 0)
  const all = named.flat()
  const declared = (superlative ? synonyms.orders(superlative) : []).filter(
    ({ type }) => isAsked(type) && (all.length === 0 || all.includes(type)),
  )
  const orders = declared.length > MOST_ORDERS ? [] : declared
  const functional = functionWords(words.map((word) => word.text))
  const rest = words
    .filter(
      (word, place) => word.text !== superlative?.text && !functional.has(word.text) && !named[place]?.length,
    )
    .map((word) => word.text)
    .join(' ')
  const queries = orders.map(({ type, order: { property: attribute, descending } }): Query => {
    const property = [attribute] as const
    const present: Condition = { op: 'not', condition: { op: 'absent', property } }
    return {
      types: [type],
      ...(rest !== '' && { text: rest }),
      where: where ? { op: 'and', conditions: [where, present] } : present,
      sort: KINDS.map((kind) => ({ by: 'value', property, kind, descending })),
      limit: FIRST,
      plain: true,
      // All of them together take at most half as long as the search.
      budgetMs: budgetMs / (2 * orders.length),
      signal,
    }
  })
  const ofTypes = named.flatMap((found, place) =>
    found
      .filter((type) => isTelling(typeTerm(type)))
      .map((type) => ({ word: words[place]?.text ?? '', type })),
  )
  const ofOrders = orders.map(({ type, order: { property, descending } }) => ({
    word: superlative?.text ?? '',
    type,
    order: descending ? `-${property}` : property,
  }))
  const isOrder = superlative && orders.length > 0
  return { types: ofTypes, orders: ofOrders, ...(isOrder && { term: termOf(superlative) }), queries }
}

/** Returns the superlative of a reading, given the results of its queries; undefined if they are empty. */
export function superlativeIn(
  { term }: Reading,
  found: readonly Result<ScoredKey>[],
): Superlative | undefined {
  const hits = found.flatMap((one) => one.hits)
  const keys = [...new Map(hits.map(({ key }) => [`${key.type} ${key.id}`, key])).values()]
  return term === undefined || keys.length === 0 ? undefined : { term, keys }
}

/** Returns the `why` of a result, without the orders whose queries found nothing. */
export function whyOf(
  { types, orders }: Reading,
  found: readonly Result<ScoredKey>[],
): Pick<Result<unknown>, 'why'> {
  const used = [...types, ...orders.filter((_, at) => found[at]?.hits.length)]
  const why = [...new Map(used.map((one) => [JSON.stringify(one), one])).values()]
  return why.length > 0 ? { why } : {}
}

/** Returns the `broad` of a result, if it has more than half of the documents of the requested types. */
export function broadOf(
  { types, text = '' }: Query,
  { total }: Pick<Result<unknown>, 'total'>,
  { vocabulary, documents }: { readonly vocabulary: Vocabulary; readonly documents: number },
): Pick<Result<unknown>, 'broad'> {
  const all = types?.reduce((sum, type) => sum + vocabulary.count(typeTerm(type)), 0) ?? documents
  return text.trim() !== '' && total > Math.max(ENOUGH, all / 2) ? { broad: true } : {}
}

/** Returns the postings of documents in a segment, given best first. Each has a smaller impact than the one before. */
export function heldPostings(segment: Segment, keys: readonly DocumentKey[]): PostingsList {
  const found = keys
    .map((key, at) => ({ document: segment.find(key), impact: heldImpact(at) }))
    .filter(({ document }) => document >= 0 && !segment.isDeleted(document))
    .sort((left, right) => left.document - right.document)
  return {
    documents: Uint32Array.from(found, ({ document }) => document),
    impacts: Uint8Array.from(found, ({ impact }) => impact),
    count: found.length,
  }
}

/** Returns the impact of a superlative in one of its documents, given their place. */
export function heldImpact(at: number): number {
  return MAX_IMPACT - (at % FIRST) * Math.floor(MAX_IMPACT / FIRST)
}
