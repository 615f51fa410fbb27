/** Merging the columns of segments, in small steps, without the values of deleted documents. */
import type { Column } from '../columns/column.ts'
import { type ColumnKind, columnKey } from '../columns/column-key.ts'
import type { ColumnWriter, Values } from '../columns/column-writer.ts'
import { PACKED } from '../columns/packed.ts'
import { END } from '../format/postings.ts'
import type { TypeRange } from '../format/segment-head.ts'
import type { FoundColumn } from '../read/columns.ts'
import type { Segment } from '../read/segment.ts'
import { sortEntries } from './column-builder.ts'

/** Values that are merged from one pause to the next. */
const STEP = 1024

/** A segment that is merged, and the new number of each of its documents, or `END`. */
export interface ColumnInput {
  readonly segment: Segment
  readonly numbers: Uint32Array
}

/** An input with the column it is at. */
interface OpenInput {
  readonly input: ColumnInput
  readonly columns: Generator<FoundColumn>
  at: FoundColumn | undefined
}

/** One of the columns that become one, with the new ordinal of each of its values. */
interface Part {
  readonly column: Column
  /** The new number, from the first of the type on, of each document; not less than `documents` where it was left out. */
  readonly numberOf: (document: number) => number
  readonly isUsed: Uint8Array
  readonly ordinals: Uint32Array
  next: number
}

/** Writes all columns of segments into the one that they become, whose types are these. */
export function* mergeColumns(
  writer: ColumnWriter,
  inputs: readonly ColumnInput[],
  types: readonly TypeRange[],
): Generator<void> {
  const open: OpenInput[] = inputs.map((input) => {
    const columns = input.segment.columns.all()
    return { input, columns, at: columns.next().value ?? undefined }
  })
  for (const [type, range] of types.entries()) {
    for (;;) {
      const same = firstOf(open, range.type)
      const [first] = same
      if (!first?.at) break
      const { path, kind } = first.at
      const parts = same.map((each) => partOf(each, range))
      yield* mergeOne(writer, { type, path, kind, documents: range.end - range.first }, parts)
      for (const each of same) each.at = each.columns.next().value ?? undefined
    }
    // Of a type of which nothing is left there is nothing to write.
  }
}

/** The inputs that are at the first column of a type; those at a type before it go on. */
function firstOf(open: readonly OpenInput[], type: string): OpenInput[] {
  let same: OpenInput[] = []
  let first: Uint8Array | undefined
  for (const each of open) {
    while (each.at && typeOf(each) < type) each.at = each.columns.next().value ?? undefined
    if (!each.at || typeOf(each) !== type) continue
    const key = columnKey(0, each.at.path, each.at.kind)
    const order = first ? Buffer.compare(key, first) : -1
    if (order < 0) {
      first = key
      same = [each]
    } else if (order === 0) same.push(each)
  }
  return same
}

function typeOf({ input, at }: OpenInput): string {
  return input.segment.head.types[at?.type ?? 0]?.type ?? ''
}

function partOf({ input: { segment, numbers }, at }: OpenInput, range: TypeRange): Part {
  const found = at as FoundColumn
  const column = found.open()
  const first = segment.head.types[found.type]?.first ?? 0
  return {
    column,
    numberOf: (document) => {
      const number = numbers[first + document] as number
      return number === END ? END : number - range.first
    },
    isUsed: new Uint8Array(column.values),
    ordinals: new Uint32Array(column.values),
    next: 0,
  }
}

function* mergeOne(
  writer: ColumnWriter,
  column: { type: number; path: string; kind: ColumnKind; documents: number },
  parts: readonly Part[],
): Generator<void> {
  let count = 0
  for (const part of parts) {
    for (const [owners, ordinals] of blocksOf(part.column)) {
      for (let at = 0; at < owners.length; at++) {
        if (part.numberOf(owners[at] as number) === END) continue
        part.isUsed[ordinals[at] as number] = 1
        count += 1
      }
      yield
    }
  }
  if (count === 0) return
  const values = yield* mergeValues(column.kind, parts)
  const entries = yield* mergeEntries(parts, column.documents, count)
  yield* writer.column(column, values, entries)
}

/** Gives every value that is still used its new ordinal, and returns the values. */
function* mergeValues(kind: ColumnKind, parts: readonly Part[]): Generator<void, Values> {
  const open = parts.filter(advance)
  const most = parts.reduce((sum, { column }) => sum + column.values, 0)
  const texts: Uint8Array[] = []
  const isText = parts[0]?.column.dictionary.texts !== undefined
  const numbers = new Float64Array(isText ? 0 : most)
  const longitudes = kind === 'place' ? new Float64Array(most) : undefined
  let count = 0
  while (open.length > 0) {
    if (count % STEP === STEP - 1) yield
    let first = open[0] as Part
    for (let at = 1; at < open.length; at++)
      if (compareParts(open[at] as Part, first) < 0) first = open[at] as Part
    const { dictionary } = first.column
    if (dictionary.texts) texts.push(dictionary.texts.bytes(first.next).slice())
    else {
      numbers[count] = dictionary.numbers.at(first.next)
      if (longitudes) longitudes[count] = dictionary.longitudes?.at(first.next) ?? 0
    }
    for (let at = open.length - 1; at >= 0; at--) {
      const part = open[at] as Part
      if (part !== first && compareParts(part, first) !== 0) continue
      if (part !== first) {
        part.ordinals[part.next++] = count
        if (!advance(part)) open.splice(at, 1)
      }
    }
    first.ordinals[first.next++] = count
    if (!advance(first)) open.splice(open.indexOf(first), 1)
    count += 1
  }
  return isText ? { texts, count } : { numbers, longitudes, count }
}

/** Moves to the next value that is used. False where there is none. */
function advance(part: Part): boolean {
  while (part.next < part.isUsed.length && part.isUsed[part.next] === 0) part.next += 1
  return part.next < part.isUsed.length
}

function compareParts(left: Part, right: Part): number {
  const [one, other] = [left.column.dictionary, right.column.dictionary]
  if (one.texts)
    return other.texts ? Buffer.compare(one.texts.bytes(left.next), other.texts.bytes(right.next)) : 0
  if (!other.numbers) return 0
  const [number, otherNumber] = [one.numbers.at(left.next), other.numbers.at(right.next)]
  // Both may be infinite.
  if (number !== otherNumber) return number < otherNumber ? -1 : 1
  if (!one.longitudes || !other.longitudes) return 0
  return one.longitudes.at(left.next) - other.longitudes.at(right.next)
}

function* mergeEntries(parts: readonly Part[], documents: number, count: number) {
  const owners = new Uint32Array(count)
  const ordinals = new Uint32Array(count)
  // Where most documents have a value, each entry is put where its document says; else entries are sorted.
  const places = count * 16 > documents ? yield* placesOf(parts, documents) : undefined
  let into = 0
  for (const { column, numberOf, ordinals: renumbered } of parts) {
    for (const [from, old] of blocksOf(column)) {
      for (let at = 0; at < from.length; at++) {
        const owner = numberOf(from[at] as number)
        if (owner === END) continue
        const place = places ? (places[owner] as number) : into++
        if (places) places[owner] = place + 1
        owners[place] = owner
        ordinals[place] = renumbered[old[at] as number] as number
      }
      yield
    }
  }
  return { owners, ordinals, count: places ? count : sortEntries(owners, ordinals, count) }
}

/** For each document, where its first entry goes. */
function* placesOf(parts: readonly Part[], documents: number): Generator<void, Uint32Array> {
  const places = new Uint32Array(documents + 1)
  for (const { column, numberOf } of parts) {
    for (const [owners] of blocksOf(column)) {
      for (let at = 0; at < owners.length; at++) {
        const owner = numberOf(owners[at] as number)
        if (owner !== END) (places[owner + 1] as number) += 1
      }
      yield
    }
  }
  for (let at = 1; at < places.length; at++) (places[at] as number) += places[at - 1] as number
  return places
}

/** The documents and ordinals of the entries of a column, a block at a time. */
function* blocksOf({
  owners,
  ordinals,
}: Column): Generator<readonly [owners: Uint32Array, ordinals: Uint32Array]> {
  for (let block = 0; block * PACKED < ordinals.count; block++)
    yield [owners.block(block), ordinals.block(block)]
}
