/** CQL2 keywords, and the JSON spelling of CQL2 function names. */

/** Keywords, in upper case. A property name that equals a keyword must be quoted. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  'AND OR NOT IN LIKE BETWEEN IS NULL TRUE FALSE DIV'.split(' '),
)

const CAMEL = ['t_finishedBy', 't_metBy', 't_overlappedBy', 't_startedBy', 'a_containedBy', 'refersTo']
const SPELT = new Map(CAMEL.map((name) => [name.toLowerCase(), name]))

/** Returns the JSON spelling of a function name: lower case for CQL2 functions, unchanged for any other name. */
export function functionName(written: string): string {
  const lower = written.toLowerCase()
  const isKnown = /^[sta]_/.test(lower) || ['casei', 'accenti', 'distance', 'entity'].includes(lower)
  return SPELT.get(lower) ?? (isKnown ? lower : written)
}
