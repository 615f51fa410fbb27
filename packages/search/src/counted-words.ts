/** Words of an index whose documents are stored elsewhere, with the number of documents that contain each word. */
import { peekCount, peekSpelling } from './format/term-entry.ts'
import { createMemorySegments } from './memory-segments.ts'
import type { Deadline } from './read/deadline.ts'
import { IndexReader } from './read/index-reader.ts'
import type { Segment } from './read/segment.ts'
import { Vocabulary } from './read/vocabulary.ts'
import { SegmentWriter } from './write/segment-writer.ts'

/** Document counts, in total and per word. In a change, the counts are differences and may be negative. */
export interface WordCounts {
  readonly documents: number
  readonly terms: ReadonlyMap<string, number>
  /** See `AnalysedDocument.spellings`. */
  readonly spellings: ReadonlyMap<string, number>
}

/** A sum of changes, stored as a dictionary without postings. */
interface Layer {
  readonly segment: Segment
  /** Number of words in the layer. */
  readonly size: number
}

const NO_NUMBERS = new Uint32Array()
const NO_IMPACTS = new Uint8Array()

/** Words with their counts, in layers. Each layer has at least twice as many words as the next, so changes are cheap. */
export class CountedWords {
  #layers: readonly Layer[] = []

  get documents(): number {
    return this.#layers.reduce((sum, { segment }) => sum + segment.head.deletionDelta, 0)
  }

  add(change: WordCounts): void {
    let below = this.#layers
    let sum = change
    for (let last = below.at(-1); last && last.size < 2 * sizeOf(sum); last = below.at(-1)) {
      sum = addedUp([countsOf(last.segment), sum])
      below = below.slice(0, -1)
    }
    this.#layers = [...below, layerOf(sum)]
  }

  /** Returns a vocabulary for expanding queries. Later changes do not affect it. */
  vocabulary(deadline: Deadline): Vocabulary {
    return new Vocabulary(
      this.#layers.map(({ segment }) => segment),
      deadline,
    )
  }

  /** Returns the sum of all changes. */
  counts(): WordCounts {
    return addedUp(this.#layers.map(({ segment }) => countsOf(segment)))
  }
}

/** Sums several changes, omitting words whose counts cancel out. */
export function addedUp(changes: readonly WordCounts[]): WordCounts {
  const sum = { documents: 0, terms: new Map<string, number>(), spellings: new Map<string, number>() }
  for (const { documents, terms, spellings } of changes) {
    sum.documents += documents
    addTo(sum.terms, terms)
    addTo(sum.spellings, spellings)
  }
  return sum
}

function addTo(sum: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [word, count] of counts) {
    const now = (sum.get(word) ?? 0) + count
    if (now === 0) sum.delete(word)
    else sum.set(word, now)
  }
}

function sizeOf({ terms, spellings }: WordCounts): number {
  return terms.size + spellings.size
}

/** Stores word counts as a layer: a segment without documents whose deletion deltas are the counts. */
function layerOf(counts: WordCounts): Layer {
  const { terms, spellings, documents } = counts
  const store = createMemorySegments()
  const writer = new SegmentWriter(store)
  const words = [...new Set([...terms.keys(), ...spellings.keys()])].map((word) => Buffer.from(word))
  for (const key of words.sort(Buffer.compare)) {
    const word = key.toString()
    const held = terms.get(word) ?? 0
    const spelled = spellings.get(word) ?? 0
    if (held !== 0) writer.term(key, key.length, NO_NUMBERS, NO_IMPACTS, 0, 0, held)
    if (spelled !== 0) writer.spelling(key, key.length, 0, spelled)
  }
  const { segment, head } = writer.finish(documents)
  store.publish(segment, head, [])
  const reader = new IndexReader(store)
  reader.refresh()
  return { segment: reader.segments[0] as Segment, size: sizeOf(counts) }
}

function countsOf(segment: Segment): WordCounts {
  const terms = new Map<string, number>()
  const spellings = new Map<string, number>()
  const entries = segment.termIterator()
  for (let found = entries.seek(new Uint8Array()); found; found = entries.next()) {
    const counts = peekSpelling(entries.payload) ? spellings : terms
    counts.set(entries.text(), peekCount(entries.payload))
  }
  return { documents: segment.head.deletionDelta, terms, spellings }
}
