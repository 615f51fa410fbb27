/**
 * Interpretations of response bodies, stored separately from the results: the received body, and the path of each part.
 */
import type { Found } from './find.ts'

/** Headers and URL of a response, as `fetch` returns them. */
export type Envelope = Pick<Response, 'headers' | 'url'>

/** Interpretation of an entity, a page or a search result. */
export interface Interpretation {
  /** The body as received. */
  readonly body: unknown
  /** Recognised parts, keyed by our names (`entities`, `cursor`, `id`, `title`, …). Other parts are absent or undefined. */
  readonly found: Readonly<Record<string, Found<unknown> | undefined>>
  /** Headers and URL of the response, if this is a list page. */
  readonly response?: Envelope | undefined
}

const interpretations = /* @__PURE__ */ new WeakMap<object, Interpretation>()

/** Records the interpretation of a value and returns the value. */
export function noteInterpretation<T extends object>(
  value: T,
  body: unknown,
  found: Interpretation['found'],
  response?: Envelope,
): T {
  interpretations.set(value, { body, found, response })
  return value
}

/** Returns the interpretation of an entity, a page or a search result, or `undefined` if `value` has none. */
export function interpretationOf(value: object): Interpretation | undefined {
  return interpretations.get(value)
}

/** Returns the recognised parts of an entity, a page or a search result; none if `value` has no interpretation. */
export function partsOf(value: object | undefined): Interpretation['found'] {
  return interpretations.get(value as object)?.found ?? {}
}
