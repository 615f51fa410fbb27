/** Limits of structured queries. Discovery declares those that affect clients. */

/** Maximum number of comparisons in a query: more than a person would write, but few enough for the time budget. */
export const QUERY_MAX_CONDITIONS = 32
/** Maximum nesting depth of `and`, `or` and `not`. */
export const QUERY_MAX_DEPTH = 8
/** Maximum length of a condition in the text form, in UTF-16 code units. */
export const QUERY_MAX_WHERE_LENGTH = 8_192
/** Maximum number of values in one `in` or `a_contains`. */
export const QUERY_MAX_VALUES = 256
/** Maximum number of sort keys: further keys have no practical effect. */
export const QUERY_MAX_SORT_KEYS = 4
/** Maximum number of facets in one query. Each facet scans the whole result. */
export const QUERY_MAX_FACETS = 16
/** Default number of buckets in a facet. */
export const QUERY_DEFAULT_BUCKETS = 10
/** Maximum number of buckets in a facet. */
export const QUERY_MAX_BUCKETS = 1_000
/** Maximum number of keys by which a query forms groups. */
export const QUERY_MAX_GROUP_KEYS = 2
/** Maximum number of measures of each group. */
export const QUERY_MAX_MEASURES = 8
/** Default number of groups in an answer. */
export const QUERY_DEFAULT_GROUPS = 100
/** Maximum number of groups in an answer. */
export const QUERY_MAX_GROUPS = 1_000
/** Maximum number of paths in `fields` or `include`. */
export const QUERY_MAX_PATHS = 64
/** Maximum number of referenced entities returned with a query result. */
export const QUERY_MAX_INCLUDED = 200
