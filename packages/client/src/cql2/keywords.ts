/** Words of CQL2 that are no names of properties, and the spelling of its functions in JSON. */

/** Upper case; a property of such a name stands in quotes. */
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

/** How JSON spells a function: those of CQL2 may be written in any case, others are as they are. */
export function functionName(written: string): string {
  const lower = written.toLowerCase()
  const isKnown = /^[sta]_/.test(lower) || ['casei', 'accenti', 'distance', 'entity'].includes(lower)
  return SPELT.get(lower) ?? (isKnown ? lower : written)
}
