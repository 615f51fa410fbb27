/** Collects the values of documents and writes them as columns. */

import { type ColumnKind, KINDS, REFERENCES, referenceText } from '../columns/column-key.ts'
import type { ColumnWriter } from '../columns/column-writer.ts'
import { grown } from '../format/byte-io.ts'
import type { PropertyValue } from '../port/document.ts'
import { type CollectedValues, collectedValues } from './collected-values.ts'

/** Columns of one type, by path and then by kind number. */
interface TypeColumns {
  readonly paths: Map<string, (Collected | undefined)[]>
  /** Columns of the last document's values, by index. The next document usually has the same columns. */
  readonly last: Collected[]
}

/** Collects values by type, path and kind. */
export class ColumnBuilder {
  readonly #types = new Map<string, TypeColumns>()

  /** Adds the values of a document. `place` is the index of the document in insertion order. */
  add(type: string, values: readonly PropertyValue[], place: number): void {
    if (values.length === 0) return
    const columns = this.#types.get(type) ?? { paths: new Map(), last: [] }
    this.#types.set(type, columns)
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as PropertyValue
      let collected = columns.last[at]
      if (collected?.path !== value.path || collected.kind !== value.kind) {
        collected = collectedIn(columns, value.path, value.kind)
        columns.last[at] = collected
      }
      collected.add(value, place)
      if (value.kind !== 'reference') continue
      const text = `${referenceText(value.value)}\n${value.path}`
      collectedIn(columns, REFERENCES, 'reference').add(
        { path: REFERENCES, kind: 'text', value: text },
        place,
      )
    }
  }

  /** Writes the columns. `types` must be in ascending order. `numbers` maps insertion indexes to document numbers. */
  write(
    writer: ColumnWriter,
    types: readonly { readonly type: string; readonly first: number; readonly end: number }[],
    numbers: Uint32Array,
  ): void {
    for (const [at, { type, first, end }] of types.entries()) {
      const paths = [...(this.#types.get(type)?.paths ?? [])].map(([path, kinds]) => ({
        bytes: Buffer.from(path),
        path,
        kinds,
      }))
      paths.sort((left, right) => Buffer.compare(left.bytes, right.bytes))
      for (const { path, kinds } of paths) {
        for (const [number, kind] of KINDS.entries()) {
          const collected = kinds[number]
          if (!collected) continue
          const column = { type: at, path, kind, documents: end - first }
          for (const _ of collected.write(writer, column, numbers, first));
        }
      }
    }
  }
}

function collectedIn({ paths }: TypeColumns, path: string, kind: ColumnKind): Collected {
  const number = KINDS.indexOf(kind)
  const kinds = paths.get(path) ?? Array.from(KINDS, () => undefined)
  paths.set(path, kinds)
  const collected = kinds[number] ?? new Collected(path, kind)
  kinds[number] = collected
  return collected
}

/** Values of one column, with the documents to which they belong. */
class Collected {
  readonly path: string
  readonly kind: ColumnKind
  readonly #values: CollectedValues
  /** For each value, the insertion index of its document. */
  #places = new Uint32Array(4)
  #count = 0

  constructor(path: string, kind: ColumnKind) {
    this.path = path
    this.kind = kind
    this.#values = collectedValues(kind)
  }

  add(value: PropertyValue, place: number): void {
    this.#values.add(value)
    if (this.#count === this.#places.length) this.#places = grown(this.#places, Uint32Array)
    this.#places[this.#count++] = place
  }

  write(
    writer: ColumnWriter,
    column: Parameters<ColumnWriter['column']>[0],
    numbers: Uint32Array,
    first: number,
  ): Generator<void> {
    const { values, ordinals } = this.#values.ordered()
    const owners = new Uint32Array(this.#count)
    for (let at = 0; at < owners.length; at++)
      owners[at] = (numbers[this.#places[at] as number] as number) - first
    const count = sortEntries(owners, ordinals, this.#count)
    return writer.column(column, values, { owners, ordinals, count })
  }
}

/** Sorts entries by document and then by ordinal, removes duplicates, and returns the number of remaining entries. */
export function sortEntries(owners: Uint32Array, ordinals: Uint32Array, count: number): number {
  if (isAscending(owners, ordinals, count)) return count
  const documents = owners.reduce((most, owner) => Math.max(most, owner), 0) + 1
  if (documents <= count * MOST_COUNTED) return countingSort(owners, ordinals, count, documents)
  // Document and ordinal fit into one 53-bit integer: there are only a few million entries, and no more values.
  const values = ordinals.reduce((most, ordinal) => Math.max(most, ordinal), 0) + 1
  const keys = new Float64Array(count)
  for (let at = 0; at < count; at++) keys[at] = (owners[at] as number) * values + (ordinals[at] as number)
  keys.sort()
  let kept = 0
  for (let at = 0; at < count; at++) {
    const key = keys[at] as number
    if (at > 0 && key === keys[at - 1]) continue
    const owner = Math.floor(key / values)
    owners[kept] = owner
    ordinals[kept++] = key - owner * values
  }
  return kept
}

/** Maximum ratio of documents to entries for which a counting sort is used. */
const MOST_COUNTED = 16

function countingSort(owners: Uint32Array, ordinals: Uint32Array, count: number, documents: number): number {
  const ends = new Uint32Array(documents)
  for (let at = 0; at < count; at++) (ends[owners[at] as number] as number)++
  for (let at = 1; at < documents; at++) (ends[at] as number) += ends[at - 1] as number
  const placed = new Uint32Array(count)
  for (let at = count - 1; at >= 0; at--)
    placed[--(ends[owners[at] as number] as number)] = ordinals[at] as number
  // Each element of `ends` is now the start of its document's entries.
  let kept = 0
  for (let owner = 0; owner < documents; owner++) {
    const start = ends[owner] as number
    const end = ends[owner + 1] ?? count
    if (end - start > 1) placed.subarray(start, end).sort()
    for (let at = start; at < end; at++) {
      if (at > start && placed[at] === placed[at - 1]) continue
      owners[kept] = owner
      ordinals[kept++] = placed[at] as number
    }
  }
  return kept
}

function isAscending(owners: Uint32Array, ordinals: Uint32Array, count: number): boolean {
  for (let at = 1; at < count; at++) {
    const [owner, before] = [owners[at] as number, owners[at - 1] as number]
    if (owner < before || (owner === before && (ordinals[at] as number) <= (ordinals[at - 1] as number)))
      return false
  }
  return true
}
