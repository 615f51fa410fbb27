/** Limits of a page of changes. Discovery declares them. */

/** Default number of changes on a page. */
export const CHANGES_DEFAULT = 100
/** Maximum number of changes on a page: a thousand entities of ordinary size amount to about a megabyte. */
export const CHANGES_MAX = 1_000
