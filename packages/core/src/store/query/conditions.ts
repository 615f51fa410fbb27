/**
 * Structured queries over documents: conditions, sort orders and facets. Plain data, passed unchanged from the parsed CQL2
 * of a request to the index.
 *
 * A document has values at paths. A path leads through objects and into every element of an array, so one path can
 * lead to any number of values. Every value has one kind, and a condition considers only values of its operand's kind.
 * Values of other kinds count as absent.
 */

/** Key of an entity: its type and id. */
export interface EntityKey {
  readonly type: string
  readonly id: string
}

/** A WGS 84 location, in degrees. */
export interface Point {
  /** Degrees from −180 to 180. */
  readonly longitude: number
  /** Degrees from −90 to 90. */
  readonly latitude: number
}

/**
 * Path to a value of an entity itself: member names below `attributes`, or a member that every entity has. `attributes`
 * refers to the whole attributes object, which is a location if it contains a latitude and a longitude.
 */
export type OwnPath =
  | readonly [string, ...string[]]
  | 'attributes'
  | 'type'
  | 'id'
  | 'title'
  | 'createdAt'
  | 'updatedAt'

/**
 * Path that continues at the entities to which the values at `reference` refer. References to entities that do not exist
 * lead nowhere. Equal values of several referenced entities count once.
 */
export interface JoinedPath {
  readonly reference: readonly [string, ...string[]]
  readonly property: OwnPath
  /** Types of entities to which references are followed. Default: any type. */
  readonly types?: readonly string[]
  /** Type of the entities whose ids are the texts at `reference`. If absent, texts lead nowhere. */
  readonly texts?: string
}

/** Path to a value of an entity, or of an entity to which it refers. */
export type PropertyPath = OwnPath | JoinedPath

/** Reports whether a path leads through a reference. */
export function isJoined(path: PropertyPath): path is JoinedPath {
  return typeof path === 'object' && 'reference' in path
}

/** Kinds of indexed values. `instant` is a date-time with an offset; a date without a time is `text`. */
export type ValueKind = 'number' | 'boolean' | 'text' | 'instant' | 'reference' | 'place'

/** Value that a condition compares with. Strings compare by their UTF-8 bytes; false sorts before true. */
export type Operand =
  | number
  | boolean
  | string
  /** Milliseconds since 1970-01-01T00:00:00Z, with a fraction for higher precision. */
  | { readonly instant: number }
  | { readonly reference: EntityKey }

/** Returns the kind of values with which an operand is compared. */
export function kindOfOperand(operand: Operand): Exclude<ValueKind, 'place'> {
  if (typeof operand === 'number') return 'number'
  if (typeof operand === 'boolean') return 'boolean'
  if (typeof operand === 'string') return 'text'
  return 'instant' in operand ? 'instant' : 'reference'
}

/**
 * A condition is unknown for a document without a value of the operand's kind at the path. A document matches
 * only if the condition is true. As in CQL2 and SQL, `not` of unknown is unknown: `not` of `mass > 1` matches only documents
 * with a mass of at most 1. Of several values, one match makes a condition true; `not` requires that none of them matches.
 */
export type Condition =
  | { readonly op: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly op: 'not'; readonly condition: Condition }
  /** All operators except `=` apply only to numbers, strings and instants. */
  | {
      readonly op: '=' | '<' | '<=' | '>' | '>='
      readonly property: PropertyPath
      readonly value: Operand
    }
  /** A value from `low` to `high`, inclusive. Both bounds are of the same kind, and a single value must satisfy both. */
  | {
      readonly op: 'between'
      readonly property: PropertyPath
      readonly low: Operand
      readonly high: Operand
    }
  /** A value equal to any of these (an `or` of `=`). */
  | { readonly op: 'in'; readonly property: PropertyPath; readonly values: readonly Operand[] }
  /** A string that begins with `prefix`. */
  | { readonly op: 'prefix'; readonly property: PropertyPath; readonly prefix: string }
  /** No value at the path. Null and empty lists are not values; strings too long for the index are. Never unknown. */
  | { readonly op: 'absent'; readonly property: PropertyPath }
  /** The values at the path include all of these (an `and` of `=`). */
  | { readonly op: 'containsAll'; readonly property: PropertyPath; readonly values: readonly Operand[] }
  /** A reference to `target` anywhere in the attributes. Never unknown. */
  | { readonly op: 'refersTo'; readonly target: EntityKey }
  /** A location within the box, edges included. If `west` is greater than `east`, the box crosses the 180th meridian. */
  | {
      readonly op: 'inBox'
      readonly property: PropertyPath
      readonly west: number
      readonly south: number
      readonly east: number
      readonly north: number
    }
  /** A location within `metres` of a point, measured on a sphere with a radius of 6,371,008.8 m. */
  | {
      readonly op: 'within'
      readonly property: PropertyPath
      readonly center: Point
      readonly metres: number
    }

/** Sort key. Documents without a value sort last in both directions. Of several values, the first in sort order counts. */
export type SortKey =
  /** Best match first. Requires `text` or `similar`. */
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
  /** Pseudo-random order by a hash of type and id, so that the first documents are a sample. The same in every process. */
  | { readonly by: 'sample' }

/** Position of a document in a sort order, from which a walk continues: values of the sort keys, then type and id. */
export interface SortPosition extends EntityKey {
  /** One value per sort key: a score, a value, a distance in metres, or a hash. Null if the document has no value. */
  readonly values: readonly (number | boolean | string | null)[]
}

/** Facet to count over the whole result, independent of the requested page. */
export type FacetRequest =
  /** Distinct values, most frequent first; equally frequent ones are ascending. */
  | {
      readonly facet: 'values'
      readonly property: PropertyPath
      readonly kind: 'number' | 'boolean' | 'text' | 'instant' | 'reference'
      /** Maximum number of values. */
      readonly limit: number
    }
  /** Half-open ranges: `from` is inclusive, `to` is exclusive. Either may be absent, and ranges may overlap. */
  | {
      readonly facet: 'ranges'
      readonly property: PropertyPath
      readonly kind: 'number' | 'text' | 'instant'
      readonly ranges: readonly { readonly from?: number | string; readonly to?: number | string }[]
    }
  /**
   * `buckets` ranges of equal width from the least value to the greatest, or a single range if these are equal. Edge `i` of
   * `n` is at `least * (1 - i / n) + greatest * (i / n)`.
   */
  | {
      readonly facet: 'histogram'
      readonly property: PropertyPath
      readonly kind: 'number' | 'instant'
      readonly buckets: number
    }
  /** Entities that refer to `target`, counted by type and path of the reference; most frequent first, then ascending. */
  | { readonly facet: 'referrers'; readonly target: EntityKey; readonly limit: number }

/** Result of a facet. Buckets count documents: a document counts once for each of its distinct values. */
export interface FacetResult {
  /** Number of documents with a value of the requested kind or, for `referrers`, with a reference to the target. */
  readonly present: number
  /** Number of documents in the result without such a value or reference. */
  readonly absent: number
  /** Least value of a histogram; `maximum` is the greatest. Absent if no document has a value. */
  readonly minimum?: number
  readonly maximum?: number
  /** In the order described at `FacetRequest`. */
  readonly buckets: readonly FacetBucket[]
  /** Set if `values` or `referrers` has more buckets than are listed. Ranges are all listed, even with a count of 0. */
  readonly more?: true
  /** Set if the budget ran out during counting: all numbers are lower bounds. */
  readonly partial?: true
}

/** One bucket of a facet result. */
export interface FacetBucket {
  /** Value of a `values` bucket; an instant is in milliseconds. */
  readonly value?: number | boolean | string | EntityKey
  /** Bounds of a `ranges` or `histogram` bucket. The last bucket of a histogram includes its upper bound. */
  readonly from?: number | string
  readonly to?: number | string
  /** Referring type of a `referrers` bucket, and the path within its attributes. */
  readonly type?: string
  readonly path?: readonly string[]
  readonly count: number
}
