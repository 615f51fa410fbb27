/**
 * Structured queries over documents: conditions on their values, orders, facets. Plain data, the same from the parsed CQL2 of
 * a request down to the index.
 *
 * A document has values at paths. A path leads through objects and into every element of an array, so it may have any number
 * of values. A value is of one kind, and a condition sees only values of the kind of its own operand: values of another kind
 * count as absent.
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
 * Path of a value: the member names below `attributes`, or one of the members that every entity has. `attributes` means the
 * attributes themselves, which are a location if latitude and longitude are among them.
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

/** Value that a condition compares with. Texts compare by their UTF-8 bytes, as written; false sorts before true. */
export type Operand =
  | number
  | boolean
  | string
  /** Milliseconds since 1970-01-01T00:00:00Z; fractional for finer times. */
  | { readonly instant: number }
  | { readonly reference: EntityKey }

/**
 * A condition is true, false, or unknown if a document has no value of the kind at the path. Only what is true is found.
 * `not` of unknown is unknown, as in CQL2 and SQL: `not` of `mass > 1` finds documents with a mass of at most 1.
 * With several values at a path, one match makes a condition true, and its `not` requires that none matches.
 */
export type Condition =
  | { readonly op: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly op: 'not'; readonly condition: Condition }
  /** Order applies to numbers, texts and instants only. */
  | {
      readonly op: '=' | '<' | '<=' | '>' | '>='
      readonly property: PropertyPath
      readonly value: Operand
    }
  /** One value from `low` to `high`, both included and of one kind: with several values, one has to meet both bounds. */
  | {
      readonly op: 'between'
      readonly property: PropertyPath
      readonly low: Operand
      readonly high: Operand
    }
  /** Equal to any of these: an `or` of `=`. */
  | { readonly op: 'in'; readonly property: PropertyPath; readonly values: readonly Operand[] }
  /** Texts that begin with these characters. */
  | { readonly op: 'prefix'; readonly property: PropertyPath; readonly prefix: string }
  /** No value of any kind at the path: null and empty lists are none, a value too long for the index is one. Never unknown. */
  | { readonly op: 'absent'; readonly property: PropertyPath }
  /** All of these are among the values at the path: an `and` of `=`. */
  | { readonly op: 'containsAll'; readonly property: PropertyPath; readonly values: readonly Operand[] }
  /** Refers to this entity from anywhere in its attributes. Never unknown. */
  | { readonly op: 'refersTo'; readonly target: EntityKey }
  /** A location within the box, edges included. If `west` is more than `east`, the box crosses the 180th meridian. */
  | {
      readonly op: 'inBox'
      readonly property: PropertyPath
      readonly west: number
      readonly south: number
      readonly east: number
      readonly north: number
    }
  /** A location at most this far from a point, along a sphere of 6,371,008.8 m. */
  | {
      readonly op: 'within'
      readonly property: PropertyPath
      readonly center: Point
      readonly metres: number
    }

/** One sort key. Documents without a value come last in both directions; of several values the one that sorts first counts. */
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

/** Position of a document in an order, from which a walk continues: the values of the sort keys, then type and id. */
export interface SortPosition extends EntityKey {
  /** In the order of the sort keys: a score, a value, a distance in metres; null if the document has none. */
  readonly values: readonly (number | boolean | string | null)[]
}

/** A count over the whole result, whatever page is requested. */
export type FacetRequest =
  /** Distinct values, most frequent first, then ascending. */
  | {
      readonly facet: 'values'
      readonly property: PropertyPath
      readonly kind: 'number' | 'boolean' | 'text' | 'instant' | 'reference'
      /** Maximum number of values. */
      readonly limit: number
    }
  /** Half-open ranges: `from` is included, `to` is not. Either may be absent. They may overlap. */
  | {
      readonly facet: 'ranges'
      readonly property: PropertyPath
      readonly kind: 'number' | 'text' | 'instant'
      readonly ranges: readonly { readonly from?: number | string; readonly to?: number | string }[]
    }
  /**
   * `buckets` ranges of equal width, from the least value to the greatest; a single one if these are equal. Edge `i` of `n` is
   * at `least * (1 - i / n) + greatest * (i / n)`.
   */
  | {
      readonly facet: 'histogram'
      readonly property: PropertyPath
      readonly kind: 'number' | 'instant'
      readonly buckets: number
    }
  /** Referrers of an entity, by the referring type and the path of the reference: most first, then by type and path. */
  | { readonly facet: 'referrers'; readonly target: EntityKey; readonly limit: number }

/** Result of a facet. Counts are of documents: one with several values counts once for each distinct value. */
export interface FacetResult {
  /** Documents of the result that have a value of the kind; of `referrers`: that refer to the target. */
  readonly present: number
  /** Documents of the result that have none. */
  readonly absent: number
  /** Of a histogram: the least and the greatest value. Absent if no document has one. */
  readonly minimum?: number
  readonly maximum?: number
  /** In the requested order. */
  readonly buckets: readonly FacetBucket[]
  /** Of `values` and `referrers`: there are more than `buckets` names. Ranges are all listed, even with a count of 0. */
  readonly more?: true
  /** The budget ended the counting early: all numbers are lower bounds. */
  readonly partial?: true
}

/** One line of a facet. */
export interface FacetBucket {
  /** Of `values`: the value; an instant in milliseconds. */
  readonly value?: number | boolean | string | EntityKey
  /** Of `ranges` and `histogram`: the bounds of the range. The last range of a histogram includes its end. */
  readonly from?: number | string
  readonly to?: number | string
  /** Of `referrers`: the type that refers, and the path within its attributes. */
  readonly type?: string
  readonly path?: readonly string[]
  readonly count: number
}
