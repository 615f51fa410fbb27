/** Merges the columns of segments in small steps, omitting the values of deleted documents. */
import type { Column } from '../columns/column.ts'
import { type ColumnKind, columnKey } from '../columns/column-key.ts'
import type { ColumnWriter } from '../columns/column-writer.ts'
import { mergeValues, type ValuePart } from '../columns/merged-values.ts'
import { PACKED } from '../columns/packed.ts'
import { sortEntries } from '../columns/sort-entries.ts'
import { END } from '../format/postings.ts'
import type { TypeRange } from '../format/segment-head.ts'
import type { FoundColumn } from '../read/columns.ts'
import type { Segment } from '../read/segment.ts'

/** A segment to merge, and the new number of each of its documents, or `END` for a deleted one. */
export interface ColumnInput {
  readonly segment: Segment
  readonly numbers: Uint32Array
}

/** An input with its current column. */
interface OpenInput {
  readonly input: ColumnInput
  readonly columns: Generator<FoundColumn>
  at: FoundColumn | undefined
}

/** One of several columns to merge into one. */
interface Part extends ValuePart {
  readonly column: Column
  /** Returns a document's new number, counted from the first document of its type, or `END` if it was omitted. */
  readonly numberOf: (document: number) => number
}

/** Writes the merged columns of the inputs. `types` are the types of the merged segment. */
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
    // A type without remaining documents needs no columns.
  }
}

/** Returns the inputs whose current column comes first among the remaining ones of `type`. Skips earlier types. */
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
    dictionary: column.dictionary,
    numberOf: (document) => {
      const number = numbers[first + document] as number
      return number === END ? END : number - range.first
    },
    isUsed: new Uint8Array(column.values),
    ordinals: new Int32Array(column.values),
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
  const values = yield* mergeValues(parts)
  const entries = yield* mergeEntries(parts, count)
  yield* writer.column(column, values, entries)
}

function* mergeEntries(parts: readonly Part[], count: number) {
  const owners = new Uint32Array(count)
  const ordinals = new Uint32Array(count)
  let into = 0
  for (const { column, numberOf, ordinals: renumbered } of parts) {
    for (const [from, old] of blocksOf(column)) {
      for (let at = 0; at < from.length; at++) {
        const owner = numberOf(from[at] as number)
        if (owner === END) continue
        owners[into] = owner
        ordinals[into++] = renumbered[old[at] as number] as number
      }
      yield
    }
  }
  return { owners, ordinals, count: sortEntries(owners, ordinals, count) }
}

/** Yields the documents and ordinals of a column's entries, one block at a time. */
function* blocksOf({
  owners,
  ordinals,
}: Column): Generator<readonly [owners: Uint32Array, ordinals: Uint32Array]> {
  for (let block = 0; block * PACKED < ordinals.count; block++)
    yield [owners.block(block), ordinals.block(block)]
}
