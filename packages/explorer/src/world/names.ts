/** Names that the user supplied for the members of a world, stored in the browser per world. */
import { NAMEABLE, type Names } from '@worldwright/client/foreign'
import { jsonFrom } from '../text/attempt.ts'
import { createKept } from '../text/kept.ts'

const kept = createKept('names', () => localStorage)

/** Returns the names that the user supplied for a world, or an empty object if there are none. */
export function namesFor(origin: string): Names {
  const stored = Object(jsonFrom(kept.of(origin)))
  const named = NAMEABLE.map((name) => [name, stored[name]]).filter(([, path]) => typeof path === 'string')
  return Object.fromEntries(named)
}

/** Stores the names for a world. An empty `names` removes any stored names. */
export function keepNames(origin: string, names: Names): void {
  kept.set(origin, Object.keys(names).length === 0 ? undefined : JSON.stringify(names))
}
