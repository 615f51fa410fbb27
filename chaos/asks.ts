/** Requests sent by the faults, as plain data, and the kinds of floods. */
import { TYPE } from './served-world.ts'

/** Request with a path and optional overrides of the defaults. */
export interface Ask {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** Returns the next request of a flood. `token` has write permission. */
export type Flood = (token: string) => Ask

const DISCOVER = `/api/world/v0/actions/${encodeURIComponent('wp:discover')}`
const WORDS = Array.from({ length: 2_000 }, (_, index) => `w${((index + 7) * 7_919).toString(36)}x`)
const LARGE = 'x'.repeat(250 * 1024)

/** Path of the list of all things. */
export const LIST = `/api/world/v0/entities/${encodeURIComponent(TYPE)}`

/** Request for the discovery document, which is nearly free to answer. */
export const DISCOVERY: Ask = { path: '/.well-known/world.json' }

/** Request for a page that is nearly free to answer. */
export const PAGE: Ask = { path: `${LIST}?limit=1` }

let count = 0

/** Returns the next `many` of the two thousand words that things contain. */
export function words(many: number): string {
  return Array.from({ length: many }, () => WORDS[(count++ * 37) % WORDS.length]).join(' ')
}

/** Returns a search for `text`, limited to five entities. */
export function search(text: string): Ask {
  return {
    path: DISCOVER,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: { text, limit: 5 } }),
  }
}

/** All kinds of floods, by name. */
export const FLOODS = {
  /** Searches with a text of 500 characters. */
  questions: () => search(words(120).slice(0, 500)),
  /** Searches with three words, mixed with reads of an entity. */
  searches: () => (count++ % 4 === 0 ? { path: `${LIST}/t${count % 1_000}` } : search(words(3))),
  /** Pages that are requested repeatedly. */
  lists: () => ({ path: `${LIST}?limit=${50 + (count++ % 150)}` }),
  /** Pages that were never requested before. */
  'new lists': () => ({ path: `${LIST}?limit=${50 + (count++ % 150)}&n=${count}` }),
  /** Writes of entities of 256 KiB. */
  writes: (token) => ({
    path: `/api/operator/v0/entities/${encodeURIComponent(TYPE)}/large${count % 50}`,
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: `{"attributes":{"number":${count++},"text":"${LARGE}"}}`,
  }),
} as const satisfies Readonly<Record<string, Flood>>
