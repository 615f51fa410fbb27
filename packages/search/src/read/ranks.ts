/** Ranks by which a sort order compares documents. */
import type { Column } from '../columns/column.ts'
import { metresBetween } from '../columns/sphere.ts'
import { bisect } from '../format/bisect.ts'
import type { Point, SortKey, SortPosition } from '../port/conditions.ts'
import type { DocumentKey } from '../port/document.ts'
import type { Matching } from './facets.ts'
import type { TypeDocuments } from './type-documents.ts'
import { compareValues, valueAt } from './value-codes.ts'

/** Rank of a document under one sort key: an ordinal in `column`, or a number. -1 and NaN denote a missing value. */
export interface Rank {
  readonly column: Column | undefined
  readonly value: number
}

/** A document that may be among the first in the sort order. */
export interface Candidate {
  readonly source: Source
  readonly document: number
  readonly score: number
  readonly ranks: (Rank | undefined)[]
  key: DocumentKey | undefined
}

/** Matching documents of one type and segment, with the columns of the sort keys. */
export class Source {
  readonly matching: Matching
  readonly columns: readonly (Column | undefined)[]
  readonly keys: readonly SortKey[]
  #firstAfter: number | undefined

  constructor(documents: TypeDocuments, set: Matching['set'], keys: readonly SortKey[]) {
    this.matching = { documents, set }
    this.keys = keys
    this.columns = keys.map((key) => {
      if (key.by === 'relevance' || key.by === 'sample') return undefined
      return documents.column(key.property, key.by === 'value' ? key.kind : 'place')
    })
  }

  /** Returns the first document whose key is after `position`. */
  firstAfter(position: DocumentKey): number {
    this.#firstAfter ??= this.#findAfter(position)
    return this.#firstAfter
  }

  #findAfter(position: DocumentKey): number {
    const { documents } = this.matching
    const before = documents.before(position)
    if (documents.range.type !== position.type || before >= documents.size) return before
    return documents.key(before).id === position.id ? before + 1 : before
  }

  /** Returns the ordinal of the document's value that sorts first under the key `at`, or -1 if there is no value. */
  ordinal(at: number, document: number): number {
    const [from, end] = this.entries(at, document)
    const column = this.columns[at]
    if (from === end || !column) return -1
    const key = this.keys[at]
    return column.ordinals.at(key && isDescending(key) ? end - 1 : from)
  }

  /** Returns the range of a document's entries in the column of the key `at`. */
  entries(at: number, document: number): readonly [from: number, end: number] {
    const column = this.columns[at]
    if (!column) return NOTHING
    if (column.isFull) return [document, document + 1]
    const { owners, isMultiple } = column
    const from = bisect(0, owners.count, (entry) => owners.at(entry) < document)
    let end = from
    while (end < owners.count && owners.at(end) === document) {
      end += 1
      if (!isMultiple) break
    }
    return [from, end]
  }
}

const NOTHING = [0, 0] as const

/** Returns the rank of a candidate under the key at this index. */
export function rankOf(candidate: Candidate, at: number): Rank {
  const known = candidate.ranks[at]
  if (known) return known
  const { source, document, score } = candidate
  const key = source.keys[at] as SortKey
  let rank: Rank
  if (key.by === 'value') rank = { column: source.columns[at], value: source.ordinal(at, document) }
  else if (key.by === 'relevance') rank = { column: undefined, value: score }
  else if (key.by === 'sample')
    rank = { column: undefined, value: source.matching.documents.hashes.at(document) }
  else rank = { column: undefined, value: distanceOf(source, at, document, key) }
  candidate.ranks[at] = rank
  return rank
}

function distanceOf(
  source: Source,
  at: number,
  document: number,
  { from, descending }: { readonly from: Point; readonly descending: boolean },
): number {
  const column = source.columns[at]
  const { numbers, longitudes } = column?.dictionary ?? {}
  let best = Number.NaN
  if (!column || !numbers || !longitudes) return best
  const [first, end] = source.entries(at, document)
  for (let entry = first; entry < end; entry++) {
    const ordinal = column.ordinals.at(entry)
    const metres = metresBetween(from, { latitude: numbers.at(ordinal), longitude: longitudes.at(ordinal) })
    if (Number.isNaN(best) || (descending ? metres > best : metres < best)) best = metres
  }
  return best
}

/** Reports whether a key sorts the largest values first. */
export function isDescending(key: SortKey): boolean {
  return key.by === 'relevance' || (key.by !== 'sample' && key.descending)
}

function isMissing({ column, value }: Rank): boolean {
  return Number.isNaN(value) || (value === -1 && column === undefined) || (column !== undefined && value < 0)
}

/** Compares two ranks under one key. Missing values sort last. */
export function compareRanks(left: Rank, right: Rank, descending: boolean): number {
  const [isLeftMissing, isRightMissing] = [isMissing(left), isMissing(right)]
  if (isLeftMissing || isRightMissing) return Number(isLeftMissing) - Number(isRightMissing)
  const order =
    left.column && right.column && left.column !== right.column
      ? compareValues(left.column.dictionary, left.value, right.column.dictionary, right.value)
      : left.value - right.value
  return descending ? -order : order
}

/** Compares a document's rank with a value of a sort position. */
export function compareToValue(rank: Rank, value: SortPosition['values'][number], key: SortKey): number {
  const isThere = !isMissing(rank)
  if (value === null || !isThere) return Number(value === null && isThere ? -1 : value !== null && !isThere)
  let order: number
  if (!rank.column) order = rank.value - Number(value)
  else if (rank.column.dictionary.texts)
    order = Buffer.compare(rank.column.dictionary.texts.bytes(rank.value), Buffer.from(String(value)))
  else order = rank.column.dictionary.numbers.at(rank.value) - Number(value)
  return isDescending(key) ? -order : order
}

/** Returns the value that a sort position stores for a document with this rank. */
export function keptValue(key: SortKey, rank: Rank): SortPosition['values'][number] {
  if (isMissing(rank)) return null
  if (!rank.column || key.by !== 'value') return rank.value
  return valueAt(rank.column.dictionary, key.kind, rank.value) as SortPosition['values'][number]
}

/** Returns the document key of a candidate, which is read only once. */
export function keyOf(candidate: Candidate): DocumentKey {
  candidate.key ??= candidate.source.matching.documents.key(candidate.document)
  return candidate.key
}
