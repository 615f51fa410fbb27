/** Words of CQL2 that cannot be names of properties, and the spelling of its functions in JSON. */

/** Keywords, in upper case; a property with such a name is quoted. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  'AND',
  'OR',
  'NOT',
  'IN',
  'LIKE',
  'BETWEEN',
  'IS',
  'NULL',
  'TRUE',
  'FALSE',
  'DIV',
])

const CAMEL = ['t_finishedBy', 't_metBy', 't_overlappedBy', 't_startedBy', 'a_containedBy', 'refersTo']
const SPELT = new Map(CAMEL.map((name) => [name.toLowerCase(), name]))

/** Returns a function's spelling in JSON: functions of CQL2 are case-insensitive, others are kept as written. */
export function functionName(written: string): string {
  const lower = written.toLowerCase()
  const isKnown = /^[sta]_/.test(lower) || ['casei', 'accenti', 'distance', 'entity'].includes(lower)
  return SPELT.get(lower) ?? (isKnown ? lower : written)
}
