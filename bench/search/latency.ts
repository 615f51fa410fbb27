/** Latency of the engine for every kind of question, and of FTS5 for the same words. */
import { DatabaseSync } from 'node:sqlite'
import { peekCount, peekSpelling } from '../../packages/search/src/format/term-entry.ts'
import { IndexReader } from '../../packages/search/src/read/index-reader.ts'
import { dice } from '../../packages/search/src/reference/random.fixture.ts'
import { segmentStore } from '../../packages/sqlite/src/segments.ts'

/** Percentiles of search latency, in milliseconds. */
export interface Spread {
  readonly p50: number
  readonly p99: number
}

/** Latencies measured on one corpus. */
export interface Latencies {
  readonly kinds: ReadonlyMap<string, Spread>
  /** Latencies by document frequency of the word, for the engine and for FTS5. */
  readonly words: readonly { readonly band: string; readonly ours: Spread; readonly fts: Spread }[]
}

const BANDS = [1, 10, 100, 1_000, 10_000, 100_000, Number.POSITIVE_INFINITY] as const
/** Number of warm-up questions. A serving process has answered more. */
const WARMING = 2_000
/** Maximum number of words per band, sampled at random. */
const KEPT = 2_000

/** Measures latencies. `rounds` is the number of questions per kind. */
export function latencies(segments: string, fts: string, rounds: number): Latencies {
  const db = new DatabaseSync(segments, { readOnly: true })
  const reader = new IndexReader(segmentStore(db))
  reader.refresh()
  const roll = dice(5)
  const bands = wordsByBand(reader, roll)
  const full = bands.filter((band) => band.length > 0)
  const pick = (words: readonly string[]) => words[roll(words.length)] as string
  const any = () => pick(full[roll(full.length)] as string[])
  const latin = (shortest: number) => {
    for (;;) {
      const word = any()
      if (/^[a-z]+$/.test(word) && word.length >= shortest) return word
    }
  }
  const search = (text: string) => reader.search({ text, limit: 20, budgetMs: 60_000 })
  const measure = (question: () => string, times = rounds) => spreadOf(times, question, search)
  measure(any, WARMING)
  measure(() => misspelt(latin(5), roll))
  const kinds = new Map([
    ['one word', measure(any, 3 * rounds)],
    ['four mixed words', measure(() => [any(), any(), any(), any()].join(' '))],
    [
      'four misspelt words',
      measure(() => Array.from({ length: 4 }, () => misspelt(latin(5), roll)).join(' ')),
    ],
    ['a beginning of two letters', measure(() => latin(3).slice(0, 2))],
    ['a misspelt word', measure(() => misspelt(latin(5), roll))],
  ])
  const other = new DatabaseSync(fts, { readOnly: true })
  const match = other.prepare('SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY bm25(fts) LIMIT 20')
  const words = bands.flatMap((band, at) => {
    if (band.length === 0) return []
    const ours = measure(() => pick(band))
    const theirs = spreadOf(
      at < 3 ? rounds : 9,
      () => pick(band),
      (word) => match.all(`"${word}"`),
    )
    return [{ band: `${BANDS[at]}-${BANDS[at + 1]}`, ours, fts: theirs }]
  })
  db.close()
  other.close()
  return { kinds, words }
}

/** Attempts per question. The best time counts, because it is least affected by other processes. */
const ATTEMPTS = 2

/** Measures the median and the 99th percentile of the time that `work` takes. */
export function spreadOf(times: number, question: () => string, work: (text: string) => unknown): Spread {
  const taken: number[] = []
  for (let at = 0; at < times; at++) {
    const text = question()
    let best = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const began = performance.now()
      work(text)
      best = Math.min(best, performance.now() - began)
    }
    taken.push(best)
  }
  return spread(taken)
}

/** Returns the median and the 99th percentile of the times. */
export function spread(times: readonly number[]): Spread {
  const sorted = [...times].sort((left, right) => left - right)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

/** Returns words of the index by document frequency (`BANDS`), sampled at random. Each word is its own stem. */
export function wordsByBand(reader: IndexReader, roll: (limit: number) => number): string[][] {
  const bands: string[][] = BANDS.slice(1).map(() => [])
  const seen = bands.map(() => 0)
  for (const segment of reader.segments) {
    const terms = segment.termIterator()
    while (terms.next()) {
      if ((terms.key[0] as number) < 0x30 || peekSpelling(terms.payload)) continue
      const at = BANDS.findLastIndex((least) => peekCount(terms.payload) >= least)
      const band = bands[at]
      if (!band) continue
      seen[at] = (seen[at] ?? 0) + 1
      const place = band.length < KEPT ? band.length : roll(seen[at] ?? 1)
      if (place < KEPT) band[place] = Buffer.from(terms.key.subarray(0, terms.keyLength)).toString()
    }
  }
  return bands
}

function misspelt(word: string, roll: (limit: number) => number): string {
  const at = 1 + roll(word.length - 2)
  if (roll(2) === 0) return word.slice(0, at) + word.slice(at + 1)
  return word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2)
}
