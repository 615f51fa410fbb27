/** Server limits and the reasons for them. Discovery declares the limits that affect clients. */

/** Default number of entities on a page: one screenful for a person, one round trip for a program. */
export const LIST_DEFAULT = 50
/** Maximum number of entities on a page. A page of ordinary entities stays well under a megabyte. */
export const LIST_MAX = 200
/** Default number of entities in a discover response. */
export const DISCOVER_DEFAULT = 20
/** Maximum number of entities in a discover response. */
export const DISCOVER_MAX = 100
/** Maximum size of an action's request body, in bytes. No legitimate query needs more. */
export const MAX_REQUEST_BYTES = 65_536
/** Maximum nesting depth of JSON bodies: more than any client needs, yet shallow enough for recursion. */
export const MAX_JSON_DEPTH = 128
/** Maximum length of a search text, in code points. */
export const MAX_TEXT_LENGTH = 512
/** Maximum number of types in a discover request. */
export const MAX_TYPES = 32
/** Maximum total size of the entities on a page, in bytes. A single entity above this limit gets a page of its own. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024
/** Maximum size of a request's header fields, in bytes. */
export const MAX_HEADER_BYTES = 16_384
/** Maximum size of a request target, in bytes. Generous: the longest legitimate one, with escapes, is under 4 KiB. */
export const MAX_TARGET_BYTES = 8_192
/** Budget of a search, in milliseconds of processor time. When it is spent, the best results so far are returned, marked as partial. */
export const SEARCH_BUDGET_MS = 250
/** Default time limit of an action call, in milliseconds. */
export const ACTION_TIMEOUT_MS = 5_000
