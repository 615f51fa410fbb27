/** Visits the values of matching documents. */
import type { Column } from '../columns/column.ts'
import { eachRun, PACKED } from '../columns/packed.ts'
import { gallop } from '../format/bisect.ts'
import type { Deadline } from './deadline.ts'
import type { DocumentSet } from './document-set.ts'

/** If a column has more than this many entries per document in the set, the set's documents are looked up one by one. */
export const PROBED = 8

/**
 * Calls `visit` for each value of each document in a set, ascending by document. Returns the first document whose values may
 * not all have been visited when the deadline passed, or else the number of documents.
 */
export function eachOrdinal(
  column: Column,
  documents: DocumentSet,
  visit: (ordinal: number, document: number) => void,
  deadline?: Deadline,
): number {
  const { ordinals, owners, isFull } = column
  let until = column.documents
  if (documents.count === 0) return until
  if (documents.count * PROBED < ordinals.count) {
    let entry = 0
    documents.each((document) => {
      if (deadline?.step()) until = document
      if (until === document) return false
      entry = isFull ? document : gallop(entry, owners.count, (at) => owners.at(at) < document)
      for (; entry < owners.count && owners.at(entry) === document; entry++)
        visit(ordinals.at(entry), document)
      return entry < owners.count
    })
    return until
  }
  const bits = documents.toBits()
  eachRun(ordinals, 0, ordinals.count, (block, from, end, place) => {
    if (deadline?.check()) {
      until = owners.at(place)
      return false
    }
    const number = place / PACKED
    const first = owners.least(number)
    const last = owners.most(number)
    if (isFull ? !anySet(bits, place, place + end) : last < first) return true
    const documents = isFull ? undefined : owners.block(number)
    for (let at = from; at < end; at++) {
      const document = documents ? (documents[at] as number) : place + at
      if ((bits[document >>> 5] as number) & (1 << (document & 31))) visit(block[at] as number, document)
    }
    return true
  })
  return until
}

function anySet(bits: Uint32Array, from: number, end: number): boolean {
  for (let at = from >>> 5; at < (end + 31) >>> 5; at++) if (bits[at] !== 0) return true
  return false
}
