/** The numbers this server keeps to, each with its reason. Discovery declares those a client can run into. */

/** Entities on a page when the request names no limit: one screenful for a person, one round trip for a program. */
export const LIST_DEFAULT = 50
/** Entities on a page at most: keeps a page of ordinary entities well under a megabyte. */
export const LIST_MAX = 200
/** Entities in a discover answer when the request names no limit. */
export const DISCOVER_DEFAULT = 20
/** Entities in a discover answer at most. */
export const DISCOVER_MAX = 100
/** Bytes of an action's request body: more than any legitimate question needs. */
export const MAX_REQUEST_BYTES = 65_536
/** Levels of lists and objects in the JSON of a body: far more than anybody writes, and few enough to walk by recursion. */
export const MAX_JSON_DEPTH = 128
/** Code points of a search text. */
export const MAX_TEXT_LENGTH = 512
/** Types one discover request may name. */
export const MAX_TYPES = 32
/** Bytes of entities after which a page ends early, so that one answer stays affordable to build and to read. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024
/** Bytes of a request target; the longest legitimate one (type, id and cursor, all escaped) needs under 4 KiB. */
export const MAX_TARGET_BYTES = 8_192
/** Milliseconds of work a search may spend before its best answer so far goes out as partial. */
export const SEARCH_BUDGET_MS = 250
/** Milliseconds after which an action that gave no answer at all is given up. */
export const ACTION_TIMEOUT_MS = 5_000
/** Changes on a page when the request names no limit. */
export const CHANGES_DEFAULT = 100
/** Changes on a page at most: a thousand entities of ordinary size stay around a megabyte. */
export const CHANGES_MAX = 1_000
/** Comparisons in one question: more than a person writes, few enough for one pass within the budget. */
export const QUERY_MAX_CONDITIONS = 32
/** How deep `and`, `or` and `not` may lie in each other. */
export const QUERY_MAX_DEPTH = 8
/** Values of one `in` or `a_contains`. */
export const QUERY_MAX_VALUES = 256
/** Keys of one order: further ones decide nothing. */
export const QUERY_MAX_SORT_KEYS = 4
/** Facets of one question, each of which looks at the whole result. */
export const QUERY_MAX_FACETS = 16
/** Lines of a facet when the request names no limit. */
export const QUERY_DEFAULT_BUCKETS = 10
/** Lines of one facet at most. */
export const QUERY_MAX_BUCKETS = 1_000
/** Paths in `fields` or `include`. */
export const QUERY_MAX_PATHS = 64
/** Entities that come along because those found refer to them. */
export const QUERY_MAX_INCLUDED = 200
