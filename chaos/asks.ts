/** Requests that the faults make, as plain data, and what each kind of flood asks for. */
import { TYPE } from './served-world.ts'

/** One request: a path, and what is not as usual. */
export interface Ask {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** What is asked for too often; the next request each time. `token` may write. */
export type Flood = (token: string) => Ask

const DISCOVER = `/api/world/v0/actions/${encodeURIComponent('wp:discover')}`
const WORDS = Array.from({ length: 2_000 }, (_, index) => `w${((index + 7) * 7_919).toString(36)}x`)
const LARGE = 'x'.repeat(250 * 1024)

/** The path of the list of all things. */
export const LIST = `/api/world/v0/entities/${encodeURIComponent(TYPE)}`

/** The discovery document, which costs next to nothing. */
export const DISCOVERY: Ask = { path: '/.well-known/world.json' }

/** A page that costs next to nothing. */
export const PAGE: Ask = { path: `${LIST}?limit=1` }

let count = 0

/** So many words, of the two thousand that the things have; others each time. */
export function words(many: number): string {
  return Array.from({ length: many }, () => WORDS[(count++ * 37) % WORDS.length]).join(' ')
}

/** A search for these words, for five entities at most. */
export function search(text: string): Ask {
  return {
    path: DISCOVER,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: { text, limit: 5 } }),
  }
}

/** Every kind of flood, by its name. */
export const FLOODS = {
  /** Searches with a text of 500 characters. */
  questions: () => search(words(120).slice(0, 500)),
  /** Searches with three words, beside reads of an entity. */
  searches: () => (count++ % 4 === 0 ? { path: `${LIST}/t${count % 1_000}` } : search(words(3))),
  /** Pages that are asked for again and again. */
  lists: () => ({ path: `${LIST}?limit=${50 + (count++ % 150)}` }),
  /** Pages that nobody has asked for before. */
  'new lists': () => ({ path: `${LIST}?limit=${50 + (count++ % 150)}&n=${count}` }),
  /** Writes of entities of 256 KiB. */
  writes: (token) => ({
    path: `/api/operator/v0/entities/${encodeURIComponent(TYPE)}/large${count % 50}`,
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: `{"attributes":{"number":${count++},"text":"${LARGE}"}}`,
  }),
} as const satisfies Readonly<Record<string, Flood>>
