/** Whether an index says what its documents say. */

import { peekEntry, readEntryList } from './format/term-entry.ts'
import type { DocumentKey, SearchDocument } from './port/document.ts'
import { END } from './read/postings-iterator.ts'
import type { Segment } from './read/segment.ts'
import { NAME_KEY_BYTES, writeNameKey } from './text/names.ts'
import { Analyser } from './write/analyser.ts'

/** Words remembered before starting over: some tens of megabytes. */
const WORDS_KEPT = 200_000
/** Bytes of the longest term. */
const MAX_KEY = 1024

/** All that an index says of its living documents, in a few numbers: the same documents give the same ones. */
export interface IndexSum {
  readonly documents: number
  readonly postings: number
  /** Of every term with its document and impact, in whatever order. */
  readonly sum: number
}

/** The sum that an index of these documents would have. */
export function sumOfDocuments(documents: Iterable<SearchDocument>): IndexSum {
  let count = 0
  let postings = 0
  let sum = 0
  let analyser = new Analyser()
  const key = new Uint8Array(MAX_KEY)
  for (const document of documents) {
    if (analyser.words.count > WORDS_KEPT) analyser = new Analyser()
    analyser.take(document)
    const addressed = hashOfKey(document)
    count += 1
    for (const term of analyser.terms.subarray(0, analyser.termCount)) {
      const length = analyser.words.copy(term, key)
      sum = (sum + mixed(hashOf(key.subarray(0, length)), addressed, analyser.impact(term))) | 0
    }
    const { hashes, ranks } = analyser.names
    const names = new Map(hashes.map((hash, at) => [hash, ranks[at] as number]))
    for (const [hash, rank] of names) {
      writeNameKey(hash, key)
      sum = (sum + mixed(hashOf(key.subarray(0, NAME_KEY_BYTES)), addressed, rank)) | 0
    }
    postings += analyser.termCount + names.size
  }
  return { documents: count, postings, sum }
}

/** The sum of an index; `postings` is -1 where its own statistics contradict its lists. */
export function sumOfIndex(segments: readonly Segment[]): IndexSum {
  let documents = 0
  let counted = 0
  let postings = 0
  let claimed = 0
  let sum = 0
  for (const segment of segments) {
    counted += segment.head.documents + segment.head.correction
    const keys = keyHashes(segment)
    const numbers = new Uint32Array(segment.head.documents)
    const impacts = new Uint8Array(segment.head.documents)
    for (let at = 0; at < keys.length; at++) if (!segment.isDead(at)) documents += 1
    const terms = segment.termCursor()
    while (terms.next()) {
      const entry = peekEntry(terms.payload)
      if (entry.spelling) continue
      claimed += entry.documents + entry.correction
      readEntryList(segment.postings, entry, numbers, impacts, 0)
      const term = hashOf(terms.key.subarray(0, terms.keyLength))
      for (let index = 0; index < entry.documents; index++) {
        const number = numbers[index] ?? END
        if (segment.isDead(number)) continue
        postings += 1
        sum = (sum + mixed(term, keys[number] ?? 0, impacts[index] ?? 0)) | 0
      }
    }
  }
  const agree = claimed === postings && counted === documents
  return { documents, postings: agree ? postings : -1, sum }
}

function keyHashes(segment: Segment): Int32Array {
  const hashes = new Int32Array(segment.head.documents)
  for (let at = 0; at < hashes.length; at++) hashes[at] = hashOfKey(segment.key(at))
  return hashes
}

function hashOfKey({ type, id }: DocumentKey): number {
  return hashOf(Buffer.from(`${type} ${id}`))
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash
}

function mixed(term: number, key: number, impact: number): number {
  let hash = Math.imul(term ^ (key >>> 16) ^ (key << 16), 0x85ebca6b) ^ Math.imul(key + impact, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f)
  return hash ^ (hash >>> 13)
}
