/** Query and result of a search, the same in the index, in the store and in the world. */
import type { Condition, EntityKey, FacetRequest, FacetResult, SortKey, SortPosition } from './conditions.ts'

/** A search query, with its work budget. */
export interface Query {
  /** Only these types. Absent: all. Unknown ones match nothing; an empty list matches nothing. */
  readonly types?: readonly string[] | undefined
  /** Arbitrary free text. Absent or blank: everything. */
  readonly text?: string | undefined
  /**
   * Finds documents similar to this one, which is itself excluded. A missing document matches nothing. `text` is absent then;
   * `similar` does all that `text` does for the order and for `after`.
   */
  readonly similar?: EntityKey | undefined
  /** Only documents that meet this condition. Absent: all. */
  readonly where?: Condition | undefined
  /** Absent or empty: by relevance with `text` or `similar`, else by type and id. Ties are broken by type, then id. */
  readonly sort?: readonly SortKey[] | undefined
  /**
   * Only hits after this position in the order, which need not exist; the totals and facets still cover the whole result.
   * Its values are in the order of `sort`; with text and without `sort`, the only value is the score.
   */
  readonly after?: SortPosition | undefined
  /** Facets to count over the whole result. */
  readonly facets?: readonly FacetRequest[] | undefined
  /** Maximum number of hits; 0 asks for the totals alone. */
  readonly limit: number
  /** Work budget, in milliseconds, after which the best result so far is returned as `partial`. */
  readonly budgetMs: number
  /** Cancels the search when it aborts; the search fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Store position that an index kept elsewhere must reach first. Other indexes are always current. */
  readonly position?: string | undefined
  /** The client. No result depends on it: queued searches of different clients take turns. */
  readonly client?: Client | undefined
}

/** A client: one end of a connection, as the network names it. */
export interface Client {
  readonly address: string
  /** Distinguishes the connections of one address. */
  readonly connection: number
}

/** Result of a search: `Hit` is a scored key in the index, and a whole entity in the store and above. */
export interface Result<Hit> {
  /** In the requested order. */
  readonly hits: readonly Hit[]
  /** All matches within the requested types. */
  readonly total: number
  /** Matches per type, without zeros, ascending by type. */
  readonly counts: Readonly<Record<string, number>>
  /** `total` and `counts` are lower bounds. */
  readonly totalIsLowerBound: boolean
  /** The budget ended the search early. */
  readonly partial: boolean
  /** The words of the index that matched, ascending. Empty without `text` and `similar`. */
  readonly matched: readonly string[]
  /** In the requested order; absent if none were requested. */
  readonly facets?: readonly FacetResult[]
  /** Position of the last hit, to be passed as `after`; present if more may follow. */
  readonly last?: SortPosition
  /**
   * Documents of the requested types that hold more at a queried path than the index keeps: a text that is too long, or more
   * values, or deeper ones, than it takes of one document. Absent for none. Values beyond the bounds were not compared.
   */
  readonly unindexed?: number
}

/** Each word or phrase of `from` also finds documents with any of `to`. A rule in both directions has equal sides. */
export interface SynonymRule {
  readonly from: readonly string[]
  readonly to: readonly string[]
}

/** Index settings of one attribute, if they differ from the default. */
export interface AttributeRule {
  /**
   * Weight of its text in searches: 1 as ordinary text, 2 twice as much, 0 not at all. Absent: the default, which is
   * `aliases` as names, all else 1.
   */
  readonly weight?: number
  /** Its values are not indexed: no condition, order or facet sees them, and its references do not count as referring. */
  readonly index?: false
}

/** Index settings by type and attribute; attributes without one use the default. */
export type IndexRules = Readonly<Record<string, Readonly<Record<string, AttributeRule>>>>
