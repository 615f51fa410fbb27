/** Checksum of the contents of an index, for comparing the index with its documents. */

import { checksumOfColumns, EntrySum } from './column-checksum.ts'
import { hashOf, mixed } from './entry-hash.ts'
import { END } from './format/postings.ts'
import { MAX_KEY_BYTES } from './format/table.ts'
import { peekEntry, readEntryList } from './format/term-entry.ts'
import type { DocumentKey, SearchDocument } from './port/document.ts'
import type { Segment } from './read/segment.ts'
import { NAME_KEY_BYTES, writeNameKey } from './text/names.ts'
import { Analyser } from './write/analyser.ts'

/** Number of cached words at which an analyser is replaced. This many words take tens of megabytes. */
const MAX_WORDS = 200_000

/** Checksum of all index contents for live documents. Indexes of the same documents have the same checksum. */
export interface IndexChecksum {
  readonly documents: number
  /** Number of postings, or -1 if the index statistics contradict the postings. */
  readonly postings: number
  /** Sum over all postings, in any order, of a hash of term, document and impact. */
  readonly sum: number
  /** Number of column entries, one per value of a document, or -1 if a column is inconsistent. */
  readonly values: number
  /** Sum over all column entries, in any order, of a hash of column, document and value. */
  readonly valueSum: number
}

/** Returns the checksum of an index that contains these documents. */
export function checksumOfDocuments(documents: Iterable<SearchDocument>): IndexChecksum {
  let count = 0
  let postings = 0
  let sum = 0
  const entries = new EntrySum()
  let analyser = new Analyser()
  const key = new Uint8Array(MAX_KEY_BYTES)
  for (const document of documents) {
    if (analyser.words.count > MAX_WORDS) analyser = new Analyser()
    analyser.analyse(document)
    const keyHash = hashOfKey(document)
    count += 1
    entries.add(document.values ?? [], keyHash)
    for (const term of analyser.terms.subarray(0, analyser.termCount)) {
      const length = analyser.words.copy(term, key)
      sum = (sum + mixed(hashOf(key.subarray(0, length)), keyHash, analyser.impact(term))) | 0
    }
    const { hashes, kinds } = analyser.names
    const names = new Map(hashes.map((hash, at) => [hash, kinds[at] as number]))
    for (const [hash, kind] of names) {
      writeNameKey(hash, key)
      sum = (sum + mixed(hashOf(key.subarray(0, NAME_KEY_BYTES)), keyHash, kind)) | 0
    }
    postings += analyser.termCount + names.size
  }
  return { documents: count, postings, sum, values: entries.entries, valueSum: entries.sum }
}

/** Returns the checksum of an index that consists of these segments. */
export function checksumOfIndex(segments: readonly Segment[]): IndexChecksum {
  let documents = 0
  let documentsClaimed = 0
  let postings = 0
  /** Sum over all terms of (documents in the statistics - documents in the postings) * hash of the term. */
  let excess = 0
  let sum = 0
  let values = 0
  let valueSum = 0
  for (const segment of segments) {
    documentsClaimed += segment.head.documents + segment.head.deletionDelta
    const keyHashes = keyHashesOf(segment)
    const numbers = new Uint32Array(segment.head.documents)
    const impacts = new Uint8Array(segment.head.documents)
    for (let at = 0; at < keyHashes.length; at++) if (!segment.isDeleted(at)) documents += 1
    const columns = checksumOfColumns(segment, keyHashes)
    values = columns.entries < 0 || values < 0 ? -1 : values + columns.entries
    valueSum = (valueSum + columns.sum) | 0
    const terms = segment.termIterator()
    while (terms.next()) {
      const entry = peekEntry(terms.payload, segment.head.documents)
      if (entry.spelling) continue
      readEntryList(segment.postings, entry, numbers, impacts, 0)
      const term = hashOf(terms.key.subarray(0, terms.keyLength))
      const before = postings
      for (let at = 0; at < entry.documents; at++) {
        const number = numbers[at] ?? END
        if (segment.isDeleted(number)) continue
        postings += 1
        sum = (sum + mixed(term, keyHashes[number] ?? 0, impacts[at] ?? 0)) | 0
      }
      const live = postings - before
      excess = (excess + Math.imul(term, entry.documents + entry.deletionDelta - live)) | 0
    }
  }
  const agree = excess === 0 && documentsClaimed === documents
  return { documents, postings: agree ? postings : -1, sum, values, valueSum }
}

function keyHashesOf(segment: Segment): Int32Array {
  const hashes = new Int32Array(segment.head.documents)
  for (let at = 0; at < hashes.length; at++) hashes[at] = hashOfKey(segment.key(at))
  return hashes
}

function hashOfKey({ type, id }: DocumentKey): number {
  return hashOf(Buffer.from(`${type} ${id}`))
}
