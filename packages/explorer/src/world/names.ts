/** Names given by hand for worlds that chose others than ours: kept in this browser, for one world each. */
import { NAMEABLE, type Names } from '@worldwright/client/foreign'

const PREFIX = 'worldwright.names.'

/** Kept here as well: a browser may refuse to store anything. */
const given = new Map<string, Names>()

/** The names that were given for a world; none if there are none. */
export function namesFor(origin: string): Names {
  return given.get(origin) ?? stored(origin) ?? {}
}

/** Keeps names for a world; without any it forgets those it has. */
export function keepNames(origin: string, names: Names): void {
  given.set(origin, names)
  try {
    if (Object.keys(names).length === 0) localStorage.removeItem(PREFIX + origin)
    else localStorage.setItem(PREFIX + origin, JSON.stringify(names))
  } catch {
    // They hold until the page is closed.
  }
}

function stored(origin: string): Names | undefined {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(PREFIX + origin) ?? 'null')
    return Object.fromEntries(
      NAMEABLE.map((name) => [name, Object(names)[name]]).filter(([, path]) => typeof path === 'string'),
    )
  } catch {
    return undefined
  }
}
