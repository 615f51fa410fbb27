/** Types of structured queries and their results, given the types of a world. */
import type { Entity, EntityRef, JsonObject, JsonValue } from './protocol.ts'
import type { EntityOf, Name, WorldTypes } from './types.ts'

/** Members that every entity has besides its attributes. */
type Member = 'type' | 'id' | 'title' | 'createdAt' | 'updatedAt'

/** The attributes of any of the types. */
type AttributesOf<Types extends WorldTypes, T extends Name<Types['entities']>> = {
  [N in T]: Types['entities'][N]
}[T]

type KeyOf<A> = A extends unknown ? string & keyof A : never

/** Name of a property: a member, an attribute, or names separated by dots for nested ones. */
export type PropertyName<Types extends WorldTypes, T extends Name<Types['entities']>> =
  | Member
  | KeyOf<AttributesOf<Types, T>>
  | `${KeyOf<AttributesOf<Types, T>>}.${string}`
  | readonly string[]

/** A date or a moment, in the form of CQL2. */
export type Time = { date: string } | { timestamp: string }

/** Values that an attribute of this type can be compared with. */
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

/** A condition over attributes `A`, in the JSON form of CQL2. */
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

/** A condition parsed by `parseCql2`: it names properties that the compiler cannot know. */
export interface Cql2Expression extends JsonObject {
  op: string
  args: JsonValue[]
  /** For the compiler only; never present. */
  readonly [PARSED]: true
}

declare const PARSED: unique symbol

/** Any condition, if nothing is known about the attributes. */
type WhereOf<A> = string extends KeyOf<A> ? JsonObject : Condition<A> | Cql2Expression

/** Distance of a location from a point, in metres. */
export interface Distance<P> {
  op: 'distance'
  args: [Operand<P | 'attributes'>, Point]
}

/** A point in the form of GeoJSON: longitude, then latitude. */
export interface Point {
  type: 'Point'
  coordinates: [number, number]
}

/** A sort key. A minus, or `descending`, puts the greatest first. */
export type SortKey<P> =
  | 'relevance'
  | P
  | `-${Extract<P, string>}`
  | { property: P; descending?: boolean; kind?: string }
  | (Distance<string> & { descending?: boolean })

/** A count over the whole result. */
export type FacetInput<P> =
  | P
  | { property: P; kind?: string; limit?: number }
  | { property: P; kind?: string; ranges: { from?: number | string | Time; to?: number | string | Time }[] }
  | { property: P; kind?: string; histogram: number }
  | { referrers: EntityRef; limit?: number }

/** A query. Every member is optional; together they narrow the result. */
export interface QueryInput<
  Types extends WorldTypes,
  T extends Name<Types['entities']> = Name<Types['entities']>,
> {
  /** Searches only these types. Absent or empty: all. */
  types?: T[]
  /** Free text, as in `discover`. */
  text?: string
  /** Finds entities similar to this one, which is itself excluded. Not together with `text`. */
  similar?: EntityRef
  /** A condition; `parseCql2` of `@worldwright/client/cql2` makes one from text. */
  where?: WhereOf<AttributesOf<Types, T>>
  sort?: SortKey<PropertyName<Types, T>>[]
  /** Attributes to return. Absent: all. */
  fields?: PropertyName<Types, T>[]
  /** Properties whose referenced entities are included. */
  include?: PropertyName<Types, T>[]
  facets?: FacetInput<PropertyName<Types, T>>[]
  /** Maximum number of entities on a page. */
  limit?: number
  cursor?: string
  /** Requests the fields in which each entity matched. */
  matchedIn?: boolean
}

/** A page of query results. */
export interface QueryOutput<E = Entity> {
  entities: E[]
  limit: number
  /** All matches, not only those on this page. */
  total: number
  counts: Record<string, number>
  /** `total` and `counts` are lower bounds. Absent when they are exact. */
  totalIsLowerBound?: true
  /** A time budget ended the work early. Absent if it was complete. */
  partial?: true
  matched: string[]
  /** For each entity, the fields that contain one of these words, as JSON Pointers. Absent unless requested. */
  matchedIn?: string[][]
  /** Cursor of the next page; absent on the last one. */
  nextCursor?: string
  /** Facets in the requested order. */
  facets?: Facet[]
  /** Referenced entities, each of them once. */
  included?: Entity[]
  /** More referenced entities exist than an answer may hold. */
  includedMore?: true
  /** References to entities that do not exist. */
  missing?: EntityRef[]
  /** Damaged matches that are omitted. */
  damaged?: EntityRef[]
  /** Number of entities that hold more at a property than can be compared, such as long texts. */
  unindexed?: number
}

/** Result of one facet over the whole result set. */
export interface Facet {
  property?: string | string[]
  kind?: string
  referrers?: EntityRef
  /** Numbers of entities that have a value, and that have none. */
  present: number
  absent: number
  minimum?: number | string
  maximum?: number | string
  buckets: FacetBucket[]
  /** There are more values than requested. */
  more?: true
  /** The budget ended the counting early: numbers are lower bounds. */
  partial?: true
}

/** One line of a facet: a value, a range from `from` up to, not including, `to`, or a type with the referring property. */
export interface FacetBucket {
  value?: number | boolean | string | EntityRef
  from?: number | string
  to?: number | string
  type?: string
  property?: string | string[]
  count: number
}

/** A lazy answer: nothing is requested before it is used, and each use requests it again. */
export interface Answer<E = Entity> extends AsyncIterable<E> {
  /** Returns the first page, with its totals and facets. */
  page(): Promise<QueryOutput<E>>
  /** Yields all pages, each requested after the one before has been used. */
  pages(): AsyncIterable<QueryOutput<E>>
}

/** Answer to a query that names types `T`. */
export type AnswerOf<Types extends WorldTypes, T extends Name<Types['entities']>> = Answer<
  EntityOf<{ entities: Pick<Types['entities'], T>; actions: Types['actions'] }>
>
