/** Types of structured queries and their results, parameterized by a world's types. */
import type { Group, GroupKey, GroupKeyInput, GroupSort, Measure, Measures } from './group-types.ts'
import type { Entity, EntityRef, JsonObject, JsonValue } from './protocol.ts'
import type { EntityOf, Name, WorldTypes } from './types.ts'

/** Entity members that can be queried besides the attributes. */
type Member = 'type' | 'id' | 'title' | 'createdAt' | 'updatedAt'

/** Union of the attributes of the given types. */
type AttributesOf<Types extends WorldTypes, T extends Name<Types['entities']>> = {
  [N in T]: Types['entities'][N]
}[T]

type KeyOf<A> = A extends unknown ? string & keyof A : never

/** A property: a member, an attribute, or a path to a nested attribute (dot-separated, or as an array). */
export type PropertyName<Types extends WorldTypes, T extends Name<Types['entities']>> =
  | Member
  | KeyOf<AttributesOf<Types, T>>
  | `${KeyOf<AttributesOf<Types, T>>}.${string}`
  | readonly string[]

/** A date or timestamp in CQL2 form. */
export type Time = { date: string } | { timestamp: string }

/** Type of the values with which an attribute can be compared. */
type Compared<V> = V extends readonly (infer E)[]
  ? Compared<E>
  : V extends number | boolean
    ? V
    : V extends string
      ? string | Time
      : V extends { type: string; id: string }
        ? { type: V['type']; id: string }
        : never

type ValueOf<A, P> = A extends unknown ? (P extends keyof A ? Compared<NonNullable<A[P]>> : never) : never

/** A property as an operand. */
export interface Operand<P> {
  property: P
}

type Comparing<A, P extends KeyOf<A> = KeyOf<A>> = {
  [N in P]:
    | { op: '=' | '<>' | '<' | '<=' | '>' | '>='; args: [Operand<N>, ValueOf<A, N>] }
    | { op: 'between'; args: [Operand<N>, ValueOf<A, N>, ValueOf<A, N>] }
    | { op: 'in' | 'a_contains'; args: [Operand<N>, ValueOf<A, N>[]] }
}[P]

/** A condition on attributes `A`, in the JSON form of CQL2. */
export type Condition<A> =
  | { op: 'and' | 'or'; args: [Condition<A>, Condition<A>, ...Condition<A>[]] }
  | { op: 'not'; args: [Condition<A>] }
  | Comparing<A>
  | { op: 'like'; args: [Operand<Member | KeyOf<A>>, string] }
  | { op: 'isNull'; args: [Operand<Member | KeyOf<A>>] }
  | {
      op: 's_intersects'
      args: [Operand<KeyOf<A> | 'attributes'>, { bbox: [number, number, number, number] }]
    }
  | { op: 'refersTo'; args: [EntityRef] }
  | { op: '=' | '<>' | '<' | '<=' | '>' | '>='; args: [Operand<Member>, string | Time] }
  | { op: 'in'; args: [Operand<Member>, (string | Time)[]] }
  | { op: '<' | '<=' | '>' | '>='; args: [Distance<KeyOf<A>>, number] }
  | { op: string; args: [Operand<`${string}.${string}` | readonly string[]>, ...JsonValue[]] }

/** A condition parsed by `parseCql2`. Its property names are not checked at compile time. */
export interface Cql2Expression extends JsonObject {
  op: string
  args: JsonValue[]
  /** Type brand. Never present at run time. */
  readonly [PARSED]: true
}

declare const PARSED: unique symbol

/** A condition on attributes `A`, or any JSON object if their names are not known; or CQL2 text, which is not checked. */
type WhereOf<A> = string | (string extends KeyOf<A> ? JsonObject : Condition<A> | Cql2Expression)

/** Distance between a location and a point, in metres. */
export interface Distance<P> {
  op: 'distance'
  args: [Operand<P | 'attributes'>, Point]
}

/** A GeoJSON point: longitude, then latitude. */
export interface Point {
  type: 'Point'
  coordinates: [number, number]
}

/** A sort key. A leading minus, or `descending`, sorts in descending order. */
export type SortKey<P> =
  | 'relevance'
  | P
  | `-${Extract<P, string>}`
  | { property: P; descending?: boolean; kind?: string }
  | (Distance<string> & { descending?: boolean })
  | { op: 'sample'; args: [] }

/** A facet to compute over the whole result set. */
export type FacetInput<P> =
  | P
  | { property: P; kind?: string; limit?: number }
  | { property: P; kind?: string; ranges: { from?: number | string | Time; to?: number | string | Time }[] }
  | { property: P; kind?: string; histogram: number }
  | { referrers: EntityRef; limit?: number }

/** A structured query. Every member is optional. Filters are combined with AND. */
export interface QueryInput<
  Types extends WorldTypes,
  T extends Name<Types['entities']> = Name<Types['entities']>,
  M extends Measures = Measures<PropertyName<Types, T>>,
> {
  /** Types to search. Absent or empty to search all. */
  types?: T[]
  /** Free text, as in `discover`. */
  text?: string
  /** Finds entities similar to this one, which is itself excluded. Cannot be combined with `text`. */
  similar?: EntityRef
  /** Filter condition, also as CQL2 text. For worlds that take no text, `parseCql2` of `@worldwright/client/cql2` parses it. */
  where?: WhereOf<AttributesOf<Types, T>>
  sort?: SortKey<PropertyName<Types, T>>[]
  /** Attributes to return, or undefined to return them all. */
  fields?: PropertyName<Types, T>[]
  /** Properties whose referenced entities are included in the response. */
  include?: PropertyName<Types, T>[]
  facets?: FacetInput<PropertyName<Types, T>>[]
  /** Up to two keys by which the whole result is grouped. */
  group?: readonly GroupKeyInput<PropertyName<Types, T>>[]
  /** Measures of each group or, without `group`, of the whole result. */
  measures?: M
  /** Order of the groups. Default: the largest first. */
  groupSort?: readonly GroupSort<NoInfer<M>>[]
  /** Maximum number of groups. Default: 100. */
  groupLimit?: number
  /** Maximum number of entities per page. */
  limit?: number
  cursor?: string
  /** Requests the fields in which each entity matched. */
  matchedIn?: boolean
}

/** A page of query results. */
export interface QueryOutput<E = Entity, M extends Measures = Measures> {
  entities: E[]
  limit: number
  /** Total number of matches, not just those on this page. */
  total: number
  counts: Record<string, number>
  /** True if `total` and `counts` are lower bounds. Absent if they are exact. */
  totalIsLowerBound?: true
  /** True if a time budget ended the query early. Absent if the query was complete. */
  partial?: true
  matched: string[]
  /** For each entity, JSON Pointers to its fields that contain a matched term. Absent unless requested. */
  matchedIn?: string[][]
  /** Cursor of the next page. Absent on the last page. */
  nextCursor?: string
  /** Offset whose later changes complete this answer, for the same `types` and any `where`. Absent without a log. */
  offset?: string
  /** Facets, in the requested order. */
  facets?: Facet[]
  /** Keys and measures of the groups, as the world read them. */
  group?: GroupKey[]
  measures?: Measure[]
  groups?: Group<M>[]
  /** Number of groups, of which `groups` has the first. */
  groupsTotal?: number
  /** True if there are more groups than were requested. */
  moreGroups?: true
  /** Referenced entities, without duplicates. */
  included?: Entity[]
  /** True if some referenced entities did not fit in the response. */
  includedMore?: true
  /** References to entities that do not exist. */
  missing?: EntityRef[]
  /** Damaged matches, which are omitted from `entities`. */
  damaged?: EntityRef[]
  /** Number of entities with property values too large to compare, such as long strings. */
  unindexed?: number
}

/** Result of one facet, computed over the whole result set. */
export interface Facet {
  property?: string | string[]
  kind?: string
  referrers?: EntityRef
  /** Number of entities with a value (`present`) and without (`absent`). */
  present: number
  absent: number
  minimum?: number | string
  maximum?: number | string
  buckets: FacetBucket[]
  /** True if there are more values than were requested. */
  more?: true
  /** True if a time budget ended counting early. Counts are then lower bounds. */
  partial?: true
}

/** One facet bucket: a value, the half-open range [`from`, `to`), or a referring type and property. */
export interface FacetBucket {
  value?: number | boolean | string | EntityRef
  from?: number | string
  to?: number | string
  type?: string
  property?: string | string[]
  count: number
}

/** Lazy query results. Nothing is requested until they are used, and each use sends new requests. */
export interface Answer<E = Entity, M extends Measures = Measures> extends AsyncIterable<E> {
  /** Returns the first page, with its totals, facets and groups. */
  page(): Promise<QueryOutput<E, M>>
  /** Yields all pages. A page is requested only after the previous one has been consumed. */
  pages(): AsyncIterable<QueryOutput<E, M>>
}

/** Results of a query that is restricted to types `T`. */
export type AnswerOf<
  Types extends WorldTypes,
  T extends Name<Types['entities']>,
  M extends Measures = Measures,
> = Answer<EntityOf<Types, T>, M>
