/**
 * Interpretations of bodies, kept beside the results: the body as received, and the path of each part.
 */
import type { Found } from './find.ts'

/** Interpretation of an entity, a page or a search result. */
export interface Interpretation {
  /** As received. */
  readonly body: unknown
  /** Parts that were found, by our names (`entities`, `cursor`, `id`, `title`, …). Absent: not recognised. */
  readonly found: Readonly<Record<string, Found<unknown> | undefined>>
}

const interpretations = /* @__PURE__ */ new WeakMap<object, Interpretation>()

/** Records the interpretation of a value, and returns the value. */
export function noteInterpretation<T extends object>(
  value: T,
  body: unknown,
  found: Interpretation['found'],
): T {
  interpretations.set(value, { body, found })
  return value
}

/** Returns the interpretation of an entity, a page or a search result. `undefined`: it is as received, in our names. */
export function interpretationOf(value: object): Interpretation | undefined {
  return interpretations.get(value)
}
