import { type ColumnKind, KINDS, REFERENCES, referenceText } from '../columns/column-key.ts'
import type { ColumnWriter } from '../columns/column-writer.ts'
import { sortEntries } from '../columns/sort-entries.ts'
import { grown } from '../format/byte-io.ts'
import type { PropertyValue } from '../port/document.ts'
import { type CollectedValues, collectedValues } from './collected-values.ts'

/** Columns of one type, by path and then by kind number. */
interface TypeColumns {
  readonly paths: Map<string, (Collected | undefined)[]>
  /** Columns of the last document's values, by index. The next document usually has the same columns. */
  readonly last: Collected[]
}

/** Collects the values of documents by type, path and kind, and writes them as columns. */
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
