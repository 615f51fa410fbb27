/** Makes right worlds that differ from a plain one by a single freedom. */
import type { Proof } from '../breakages.ts'
import { type Dialect, type Fact, FOREIGN, facts, foreignWorld } from '../foreign-world.ts'
import type { Asked, Told } from '../reference-http.ts'

/** A world as a function from requests to answers. */
export type Tell = (asked: Asked, origin: string) => Told

/** Name of the freedom, and a function that makes a world which takes it. */
export type Freedom = readonly [name: string, world: () => Tell]

/** Words of the plain world. */
export const PLAIN = FOREIGN['says entities and nextCursor, as the decisions do'] as Dialect

/** Returns the plain world with other words, or with other facts. */
export function world(words: Partial<Dialect>, known: readonly Fact[] = facts()): Tell {
  return foreignWorld({ ...PLAIN, ...words }, known)
}

/** Returns the plain world with one change of its requests or answers. */
export function changed({ broken }: Proof, tell: Tell = world({})): Tell {
  return (asked, origin) => {
    broken.asked?.(asked)
    const told = tell(asked, origin)
    broken.told?.(told, asked)
    return told
  }
}
