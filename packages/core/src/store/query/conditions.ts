/**
 * What can be asked of documents precisely: conditions on their values, orders, facets. Plain data, the same from the wire's
 * reading of CQL2 down to the index.
 *
 * A document has values at paths. A path leads through objects; where it meets a list, it goes on in every element, so that
 * a path has any number of values. A value is of one kind, and a condition looks only at values of the kind that it names by
 * its own value: what is of another kind is as absent.
 */

/** The address of an entity. */
export interface EntityKey {
  readonly type: string
  readonly id: string
}

/** A point on the globe, in degrees of WGS 84. */
export interface Point {
  /** −180 to 180. */
  readonly longitude: number
  /** −90 to 90. */
  readonly latitude: number
}

/**
 * Where a value stands: the names from `attributes` on, or one of the members that every entity has. `attributes` is the
 * attributes themselves, which are a place where latitude and longitude are among them.
 */
export type PropertyPath =
  | readonly [string, ...string[]]
  | 'attributes'
  | 'type'
  | 'id'
  | 'title'
  | 'createdAt'
  | 'updatedAt'

/** The kinds of values an index keeps: `instant` is a date-time with its offset, a date alone is `text`. */
export type ValueKind = 'number' | 'boolean' | 'text' | 'instant' | 'reference' | 'place'

/** What a condition compares with. Texts compare by their UTF-8 bytes, as they were written; false comes before true. */
export type Operand =
  | number
  | boolean
  | string
  /** Milliseconds since 1970-01-01T00:00:00Z; not whole where a time is finer. */
  | { readonly instant: number }
  | { readonly reference: EntityKey }

/**
 * A condition holds, does not hold, or is unknown where a document has no value of the kind at the path. Only what holds is
 * found. `not` leaves unknown what is unknown, as in CQL2 and SQL: `not` of `mass > 1` finds those with a mass of at most 1.
 * Of several values at a path, one that fits is enough for a condition to hold, and none may fit for its `not`.
 */
export type Condition =
  | { readonly op: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly op: 'not'; readonly condition: Condition }
  /** Order is for numbers, texts and instants alone. */
  | {
      readonly op: '=' | '<' | '<=' | '>' | '>='
      readonly property: PropertyPath
      readonly value: Operand
    }
  /** One value from `low` to `high`, both included and of one kind: of several values, one has to lie between the two. */
  | {
      readonly op: 'between'
      readonly property: PropertyPath
      readonly low: Operand
      readonly high: Operand
    }
  /** Equal to any of these: as `or` of so many `=`. */
  | { readonly op: 'in'; readonly property: PropertyPath; readonly values: readonly Operand[] }
  /** Texts that begin with these characters. */
  | { readonly op: 'prefix'; readonly property: PropertyPath; readonly prefix: string }
  /** No value of any kind at the path: null and empty lists are none, what is too long for the index is one. Never unknown. */
  | { readonly op: 'absent'; readonly property: PropertyPath }
  /** Every one of these is among the values at the path: as `and` of so many `=`. */
  | { readonly op: 'containsAll'; readonly property: PropertyPath; readonly values: readonly Operand[] }
  /** Refers to this entity from anywhere in its attributes. Never unknown. */
  | { readonly op: 'refersTo'; readonly target: EntityKey }
  /** A place within the box, its edges included. Where `west` is more than `east`, the box crosses the 180th meridian. */
  | {
      readonly op: 'inBox'
      readonly property: PropertyPath
      readonly west: number
      readonly south: number
      readonly east: number
      readonly north: number
    }
  /** A place at most this far from a point, along a sphere of 6,371,008.8 m. */
  | {
      readonly op: 'within'
      readonly property: PropertyPath
      readonly center: Point
      readonly metres: number
    }

/** One key of an order. Documents without a value come last in both directions; of several values the one that is first counts. */
export type SortKey =
  /** Best first. Only with text. */
  | { readonly by: 'relevance' }
  | {
      readonly by: 'value'
      readonly property: PropertyPath
      readonly kind: 'number' | 'boolean' | 'text' | 'instant'
      readonly descending: boolean
    }
  | {
      readonly by: 'distance'
      readonly property: PropertyPath
      readonly from: Point
      readonly descending: boolean
    }

/** The place of one document in an order, from which a walk goes on: what its keys compared, then its type and id. */
export interface SortPosition extends EntityKey {
  /** In the order of the sort keys: a score, a value, a distance in metres; null if the document has none. */
  readonly values: readonly (number | boolean | string | null)[]
}

/** A count over the whole result, whatever page of it is asked for. */
export type FacetRequest =
  /** The values there are, most frequent first, then ascending. */
  | {
      readonly facet: 'values'
      readonly property: PropertyPath
      readonly kind: 'number' | 'boolean' | 'text' | 'instant' | 'reference'
      /** How many values at most. */
      readonly limit: number
    }
  /** Half-open ranges: `from` belongs to one, `to` does not. Either may be absent. They may overlap. */
  | {
      readonly facet: 'ranges'
      readonly property: PropertyPath
      readonly kind: 'number' | 'text' | 'instant'
      readonly ranges: readonly { readonly from?: number | string; readonly to?: number | string }[]
    }
  /**
   * As many ranges of equal width as `buckets` says, from the least value to the greatest; one where these are the same. The
   * edge `i` of `n` is at `least * (1 - i / n) + greatest * (i / n)`.
   */
  | {
      readonly facet: 'histogram'
      readonly property: PropertyPath
      readonly kind: 'number' | 'instant'
      readonly buckets: number
    }
  /** Who refers to an entity, by the referring type and the path of the reference: most first, then by type and path. */
  | { readonly facet: 'referrers'; readonly target: EntityKey; readonly limit: number }

/** What a facet came to. Counts are of documents: one with several values counts once for each different one. */
export interface FacetResult {
  /** How many documents of the result have a value of the kind; of `referrers`: refer to the target. */
  readonly present: number
  /** How many have none. */
  readonly absent: number
  /** Of a histogram: the least and the greatest value. Absent if no document has one. */
  readonly minimum?: number
  readonly maximum?: number
  /** In the order that was asked for. */
  readonly buckets: readonly FacetBucket[]
  /** Of `values` and `referrers`: there are more than `buckets` names. Ranges are all named, also where the count is 0. */
  readonly more?: true
  /** The budget ended the counting early: all numbers are lower bounds. */
  readonly partial?: true
}

/** One line of a facet. */
export interface FacetBucket {
  /** Of `values`: the value; an instant in milliseconds. */
  readonly value?: number | boolean | string | EntityKey
  /** Of `ranges` and `histogram`: where it begins and ends. The last one of a histogram includes its end. */
  readonly from?: number | string
  readonly to?: number | string
  /** Of `referrers`: the type that refers, and the path within its attributes. */
  readonly type?: string
  readonly path?: readonly string[]
  readonly count: number
}
