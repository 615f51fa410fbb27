/** One query and one result of a search: the same in the index, in storage and in the world. */
import type { Condition, EntityKey, FacetRequest, FacetResult, SortKey, SortPosition } from './conditions.ts'

/** What to look for, and how much work to spend on it. */
export interface Query {
  /** Only these types. Absent: all. Unknown ones match nothing; an empty list matches nothing. */
  readonly types?: readonly string[] | undefined
  /** Free text, any at all. Absent or blank: everything. */
  readonly text?: string | undefined
  /**
   * What is like this document, which is left out itself. One that is not there is like nothing. `text` is absent then; all
   * that `text` does for the order and for `after`, this does.
   */
  readonly similar?: EntityKey | undefined
  /** Only what this holds for. Absent: everything. */
  readonly where?: Condition | undefined
  /** Absent or empty: by relevance with `text` or `similar`, else by type and id. What is equal by all keys comes by type, then id. */
  readonly sort?: readonly SortKey[] | undefined
  /**
   * Only hits that come after this place in the order, which need not exist; the numbers and facets are of the whole result
   * all the same. Its values are in the order of `sort`; with text and without `sort`, the one value is the score.
   */
  readonly after?: SortPosition | undefined
  /** What to count over the whole result. */
  readonly facets?: readonly FacetRequest[] | undefined
  /** How many hits at most; 0 asks for the numbers alone. */
  readonly limit: number
  /** How much work, in milliseconds, before the best result so far is given as `partial`. */
  readonly budgetMs: number
  /** The search is given up when it is aborted, and fails with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Of the store: an index that is kept elsewhere waits until it has come so far. Others always have. */
  readonly position?: string | undefined
  /** The client. No result depends on it: where searches wait for each other, clients take turns. */
  readonly client?: Client | undefined
}

/** A client: one end of a connection, as the network names it. */
export interface Client {
  readonly address: string
  /** Tells the connections of one address apart. */
  readonly connection: number
}

/** What was found: `Hit` is a scored key in the index, and a whole entity in storage and above. */
export interface Result<Hit> {
  /** In the order asked for. */
  readonly hits: readonly Hit[]
  /** All matches within the types asked for. */
  readonly total: number
  /** Matches per type, without zeros, ascending by type. */
  readonly counts: Readonly<Record<string, number>>
  /** `total` and `counts` are lower bounds. */
  readonly totalIsLowerBound: boolean
  /** The budget ended the search early. */
  readonly partial: boolean
  /** The words of the index that matched, ascending. Empty without `text` and `similar`. */
  readonly matched: readonly string[]
  /** In the order asked for; absent if none was. */
  readonly facets?: readonly FacetResult[]
  /** The place of the last hit, where more may follow: what to give as `after`. */
  readonly last?: SortPosition
  /**
   * How many documents of the types asked for hold more at a path that was asked about than the index keeps: a text that is too
   * long, or more values, or deeper ones, than it takes of one document. Absent for none. What they hold beyond the bounds was
   * not compared.
   */
  readonly unindexed?: number
}

/** Each word or phrase of `from` finds also what holds any of `to`. In a rule that goes both ways the two are the same. */
export interface SynonymRule {
  readonly from: readonly string[]
  readonly to: readonly string[]
}

/** How one attribute is indexed, if that is not as any other. */
export interface AttributeRule {
  /**
   * How much its text counts in searches: 1 as ordinary text, 2 twice as much, 0 not at all. Absent: as it does by itself,
   * `aliases` as names, all else 1.
   */
  readonly weight?: number
  /** Its values are left out of the index: no condition, order or facet sees them, and what it refers to is not pointed at. */
  readonly index?: false
}

/** How attributes are indexed, by type and attribute; those that are not named, like any other. */
export type IndexRules = Readonly<Record<string, Readonly<Record<string, AttributeRule>>>>
