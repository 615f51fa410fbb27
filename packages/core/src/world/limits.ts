/** Limits of this server, each with its reason. Discovery declares those that a client can run into. */

/** Entities on a page when the request names no limit: one screenful for a person, one round trip for a program. */
export const LIST_DEFAULT = 50
/** Maximum entities on a page: keeps a page of ordinary entities well under a megabyte. */
export const LIST_MAX = 200
/** Entities in a discover answer when the request names no limit. */
export const DISCOVER_DEFAULT = 20
/** Maximum entities in a discover answer. */
export const DISCOVER_MAX = 100
/** Maximum bytes of an action's request body: more than any legitimate query needs. */
export const MAX_REQUEST_BYTES = 65_536
/** Maximum nesting depth of the JSON in a body: far more than any client needs, and few enough levels to walk by recursion. */
export const MAX_JSON_DEPTH = 128
/** Maximum code points of a search text. */
export const MAX_TEXT_LENGTH = 512
/** Maximum types that one discover request may name. */
export const MAX_TYPES = 32
/** Bytes of entities after which a page ends early, so that one answer stays affordable to build and to read. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024
/** Maximum bytes of a request target; the longest legitimate one (type, id and cursor, all escaped) needs under 4 KiB. */
export const MAX_TARGET_BYTES = 8_192
/** Work budget of a search, in milliseconds, after which its best answer so far goes out as partial. */
export const SEARCH_BUDGET_MS = 250
/** Default time limit of an action call, in milliseconds. */
export const ACTION_TIMEOUT_MS = 5_000
/** Changes on a page when the request names no limit. */
export const CHANGES_DEFAULT = 100
/** Maximum changes on a page: a thousand entities of ordinary size stay around a megabyte. */
export const CHANGES_MAX = 1_000
/** Maximum comparisons in one query: more than a person writes, few enough for one pass within the budget. */
export const QUERY_MAX_CONDITIONS = 32
/** Maximum nesting depth of `and`, `or` and `not`. */
export const QUERY_MAX_DEPTH = 8
/** Maximum values of one `in` or `a_contains`. */
export const QUERY_MAX_VALUES = 256
/** Maximum keys of one order: further ones decide nothing. */
export const QUERY_MAX_SORT_KEYS = 4
/** Maximum facets of one query, each of which looks at the whole result. */
export const QUERY_MAX_FACETS = 16
/** Lines of a facet when the request names no limit. */
export const QUERY_DEFAULT_BUCKETS = 10
/** Maximum lines of one facet. */
export const QUERY_MAX_BUCKETS = 1_000
/** Maximum paths in `fields` or `include`. */
export const QUERY_MAX_PATHS = 64
/** Maximum entities included because the entities found refer to them. */
export const QUERY_MAX_INCLUDED = 200
