/** What precise questions and their answers look like, typed by what is known of a world. */
import type { Entity, EntityRef, JsonObject, JsonValue } from './protocol.ts'
import type { EntityOf, Name, WorldTypes } from './types.ts'

/** What every entity has beside its attributes. */
type Member = 'type' | 'id' | 'title' | 'createdAt' | 'updatedAt'

/** The attributes of any of the types. */
type AttributesOf<Types extends WorldTypes, T extends Name<Types['entities']>> = {
  [N in T]: Types['entities'][N]
}[T]

type KeyOf<A> = A extends unknown ? string & keyof A : never

/** The name of a property: a member, an attribute, or names with points between for what lies deeper. */
export type PropertyName<Types extends WorldTypes, T extends Name<Types['entities']>> =
  | Member
  | KeyOf<AttributesOf<Types, T>>
  | `${KeyOf<AttributesOf<Types, T>>}.${string}`
  | readonly string[]

/** A date or a moment, as CQL2 writes it. */
export type Time = { date: string } | { timestamp: string }

/** What values of an attribute are compared with. */
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

/** A condition that `parseCql2` read: it names properties that the compiler cannot know. */
export interface Cql2Expression extends JsonObject {
  op: string
  args: JsonValue[]
  /** There for the compiler alone. */
  readonly [PARSED]: true
}

declare const PARSED: unique symbol

/** Any condition where nothing is known of the attributes. */
type WhereOf<A> = string extends KeyOf<A> ? JsonObject : Condition<A> | Cql2Expression

/** How far a place is from a point, in metres. */
export interface Distance<P> {
  op: 'distance'
  args: [Operand<P | 'attributes'>, Point]
}

/** A point as GeoJSON writes it: longitude, then latitude. */
export interface Point {
  type: 'Point'
  coordinates: [number, number]
}

/** A key of an order. A minus, or `descending`, begins with the greatest. */
export type SortKey<P> =
  | 'relevance'
  | P
  | `-${Extract<P, string>}`
  | { property: P; descending?: boolean; kind?: string }
  | (Distance<string> & { descending?: boolean })

/** What is counted over the whole result. */
export type FacetInput<P> =
  | P
  | { property: P; kind?: string; limit?: number }
  | { property: P; kind?: string; ranges: { from?: number | string | Time; to?: number | string | Time }[] }
  | { property: P; kind?: string; histogram: number }
  | { referrers: EntityRef; limit?: number }

/** A question. Every member is optional; together they narrow. */
export interface QueryInput<
  Types extends WorldTypes,
  T extends Name<Types['entities']> = Name<Types['entities']>,
> {
  /** Ask only these types. Absent or empty: all. */
  types?: T[]
  /** Free text, as in `discover`. */
  text?: string
  /** What is like this entity, which is left out. Not together with `text`. */
  similar?: EntityRef
  /** A condition; `parseCql2` of `@worldwright/client/cql2` makes one of text. */
  where?: WhereOf<AttributesOf<Types, T>>
  sort?: SortKey<PropertyName<Types, T>>[]
  /** The attributes that come back. Absent: all. */
  fields?: PropertyName<Types, T>[]
  /** Properties whose references are followed. */
  include?: PropertyName<Types, T>[]
  facets?: FacetInput<PropertyName<Types, T>>[]
  /** Entities on a page at most. */
  limit?: number
  cursor?: string
  /** Whether the answer is to say in which fields each entity matched. */
  matchedIn?: boolean
}

/** One page of an answer. */
export interface QueryOutput<E = Entity> {
  entities: E[]
  limit: number
  /** All that match, not only those on this page. */
  total: number
  counts: Record<string, number>
  /** `total` and `counts` are lower bounds. Absent when they are exact. */
  totalIsLowerBound?: true
  /** A time budget ended the work early. Absent when it ran to its end. */
  partial?: true
  matched: string[]
  /** Of each entity the fields that hold one of these words, as JSON Pointers into it. Absent if it was not asked for. */
  matchedIn?: string[][]
  /** For the next page; absent on the last one. */
  nextCursor?: string
  /** In the order asked for. */
  facets?: Facet[]
  /** What references lead to, each entity once. */
  included?: Entity[]
  /** There is more to include than an answer holds. */
  includedMore?: true
  /** References that lead to nothing. */
  missing?: EntityRef[]
  /** Matches that are left out, since the world's store is damaged. */
  damaged?: EntityRef[]
  /** How many entities hold more at a property than can be compared, such as long texts. */
  unindexed?: number
}

/** What one facet came to over the whole result. */
export interface Facet {
  property?: string | string[]
  kind?: string
  referrers?: EntityRef
  /** How many entities have a value, and how many have none. */
  present: number
  absent: number
  minimum?: number | string
  maximum?: number | string
  buckets: FacetBucket[]
  /** There are more values than were asked for. */
  more?: true
  /** The budget ended the counting early: numbers are lower bounds. */
  partial?: true
}

/** One line of a facet: a value, a range from `from` to below `to`, or a type with the property that refers. */
export interface FacetBucket {
  value?: number | boolean | string | EntityRef
  from?: number | string
  to?: number | string
  type?: string
  property?: string | string[]
  count: number
}

/** An answer that is not asked for before it is used. Each use asks again. */
export interface Answer<E = Entity> extends AsyncIterable<E> {
  /** The first page, with its numbers and facets. */
  page(): Promise<QueryOutput<E>>
  /** All pages, each asked for when the one before has been used. */
  pages(): AsyncIterable<QueryOutput<E>>
}

/** The answer to a question that names types `T`. */
export type AnswerOf<Types extends WorldTypes, T extends Name<Types['entities']>> = Answer<
  EntityOf<{ entities: Pick<Types['entities'], T>; actions: Types['actions'] }>
>
