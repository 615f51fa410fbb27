/** Names given by hand for worlds with other member names: stored in this browser, for one world each. */
import { NAMEABLE, type Names } from '@worldwright/client/foreign'
import { attempt, jsonFrom } from '../text/attempt.ts'

const PREFIX = 'worldwright.names.'

/** Kept in memory as well: a browser may refuse to store anything. */
const given = new Map<string, Names>()

/** Returns the names that were given for a world; empty if there are none. */
export function namesFor(origin: string): Names {
  const stored = Object(jsonFrom(attempt(() => localStorage.getItem(PREFIX + origin))))
  const named = NAMEABLE.map((name) => [name, stored[name]]).filter(([, path]) => typeof path === 'string')
  return given.get(origin) ?? Object.fromEntries(named)
}

/** Stores names for a world; without any, removes the stored ones. */
export function keepNames(origin: string, names: Names): void {
  given.set(origin, names)
  if (Object.keys(names).length === 0) attempt(() => localStorage.removeItem(PREFIX + origin))
  else attempt(() => localStorage.setItem(PREFIX + origin, JSON.stringify(names)))
}
