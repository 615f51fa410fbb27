/**
 * What was made of a body, kept beside the result: the body as received, and where each part was found.
 */
import type { Found } from './find.ts'

/** How an entity, a page or a search result was read. */
export interface Interpretation {
  /** As received. */
  readonly body: unknown
  /** What was found, by our name for it (`entities`, `cursor`, `id`, `title`, …). Absent: not recognised. */
  readonly found: Readonly<Record<string, Found<unknown> | undefined>>
}

const interpretations = /* @__PURE__ */ new WeakMap<object, Interpretation>()

/** Notes how a value was read, and gives the value. */
export function noteInterpretation<T extends object>(
  value: T,
  body: unknown,
  found: Interpretation['found'],
): T {
  interpretations.set(value, { body, found })
  return value
}

/** How an entity, a page or a search result was read. `undefined`: it stands as it was received, in our names. */
export function interpretationOf(value: object): Interpretation | undefined {
  return interpretations.get(value)
}
