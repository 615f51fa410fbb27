/** Names that the user supplied for the members of a world, stored in the browser per world. */
import { NAMEABLE, type Names } from '@worldwright/client/foreign'
import { attempt, jsonFrom } from '../text/attempt.ts'

const PREFIX = 'worldwright.names.'

/** In-memory copy of the names, since the browser may refuse to store them. */
const given = new Map<string, Names>()

/** Returns the names that the user supplied for a world, or an empty object if there are none. */
export function namesFor(origin: string): Names {
  const stored = Object(jsonFrom(attempt(() => localStorage.getItem(PREFIX + origin))))
  const named = NAMEABLE.map((name) => [name, stored[name]]).filter(([, path]) => typeof path === 'string')
  return given.get(origin) ?? Object.fromEntries(named)
}

/** Stores the names for a world. An empty `names` removes any stored names. */
export function keepNames(origin: string, names: Names): void {
  given.set(origin, names)
  if (Object.keys(names).length === 0) attempt(() => localStorage.removeItem(PREFIX + origin))
  else attempt(() => localStorage.setItem(PREFIX + origin, JSON.stringify(names)))
}
