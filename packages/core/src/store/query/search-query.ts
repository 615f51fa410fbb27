/** Search queries and results, as used by the index, the store and the world. */
import type { Condition, EntityKey, FacetRequest, FacetResult, SortKey, SortPosition } from './conditions.ts'
import type { GroupRequest, GroupResult } from './groups.ts'

/** A search query with a time budget. */
export interface Query {
  /** Entity types to search. If absent, all types are searched. Unknown types and an empty list match nothing. */
  readonly types?: readonly string[] | undefined
  /** Free text. If absent or blank, every document matches. */
  readonly text?: string | undefined
  /** Set while the text is being typed: its last word then matches as a prefix even if documents hold that word. */
  readonly unfinished?: boolean | undefined
  /** Set to read no word as a type or an order: see `SynonymRule.type`. */
  readonly plain?: boolean | undefined
  /**
   * Finds documents similar to this one, which is itself excluded. If it does not exist, nothing matches. Must not be
   * combined with `text`, and affects the sort order and `after` in the same way.
   */
  readonly similar?: EntityKey | undefined
  /** Condition that documents must satisfy. If absent, all documents qualify. */
  readonly where?: Condition | undefined
  /** Sort keys. Default: relevance with `text` or `similar`, otherwise type and id. Ties are broken by type, then id. */
  readonly sort?: readonly SortKey[] | undefined
  /**
   * Returns only hits after this position, which need not exist. The totals and facets still cover the whole result. The
   * position has values in the order of `sort`; with text but no `sort`, its only value is the score.
   */
  readonly after?: SortPosition | undefined
  /** Facets to count over the whole result. */
  readonly facets?: readonly FacetRequest[] | undefined
  /** Groups to form over the whole result. */
  readonly group?: GroupRequest | undefined
  /** Maximum number of hits; 0 returns only the totals. */
  readonly limit: number
  /** Time budget, in milliseconds, after which the best result so far is returned as `partial`. */
  readonly budgetMs: number
  /** Cancels the search, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Store position that an external index must have reached before answering. Other indexes are always current. */
  readonly position?: string | undefined
  /** Requesting client. Does not affect the result, but queued searches of different clients take turns. */
  readonly client?: Client | undefined
}

/** A client, identified by its network address and connection. */
export interface Client {
  readonly address: string
  /** Number that distinguishes the connections of one address. */
  readonly connection: number
}

/** Search result. `Hit` is a scored key in the index, and a whole entity in the store and the layers above. */
export interface Result<Hit> {
  /** Hits in the requested order. */
  readonly hits: readonly Hit[]
  /** Number of matches in the requested types. */
  readonly total: number
  /** Number of matches by type, without zeros, ascending by type. */
  readonly counts: Readonly<Record<string, number>>
  /** True if `total` and `counts` are lower bounds. */
  readonly totalIsLowerBound: boolean
  /** True if the budget ended the search early. */
  readonly partial: boolean
  /** Index terms that matched, ascending. Empty if the query has neither `text` nor `similar`. */
  readonly matched: readonly string[]
  /** Words of the text that were read as a type or, with `order`, as the first of its entities; absent if there are none. */
  readonly why?: readonly { readonly word: string; readonly type: string; readonly order?: string }[]
  /** Set if the text matches more than half of the documents of the requested types, and more than a hundred. */
  readonly broad?: true
  /** Facets in the requested order; absent if no facets were requested. */
  readonly facets?: readonly FacetResult[]
  /** Groups; absent if none were requested. */
  readonly groups?: GroupResult
  /** Position of the last hit, to be passed as `after`; present if more hits may follow. */
  readonly last?: SortPosition
  /**
   * Number of documents of the requested types with unindexed values at a queried path: strings that are too long, or values
   * beyond the index limits on count and depth. Absent if zero. Unindexed values were not compared.
   */
  readonly unindexed?: number
  /**
   * Offset in the store's log up to which a separate index has read; empty if unknown. Absent if the result includes every
   * write that returned before the query.
   */
  readonly reached?: string
}

/** Makes a query for any word or phrase in `from` also match any in `to`. Symmetric if `from` and `to` are equal. */
export interface SynonymRule {
  readonly from: readonly string[]
  readonly to: readonly string[]
  /** Type whose entities the words in `from` also match. */
  readonly type?: string | undefined
  /** Order of the type's entities by an attribute, the first of which are all that the words match. Requires `type`. */
  readonly order?: { readonly property: string; readonly descending: boolean } | undefined
}

/** Index settings of one attribute, if they differ from the default. */
export interface AttributeRule {
  /**
   * Weight of the attribute's text in searches: 1 for ordinary text, 2 for twice the weight, 0 to ignore the text. By
   * default, `aliases` are weighted like names, and all other attributes have weight 1.
   */
  readonly weight?: number
  /** Set to exclude the attribute's values and references from conditions, sort orders and facets. */
  readonly index?: false
}

/** Index settings by type and attribute. Attributes without settings use the default. */
export type IndexRules = Readonly<Record<string, Readonly<Record<string, AttributeRule>>>>
