/** Documents of one type in one segment, as used by conditions, sort orders and facets. */
import type { Column } from '../columns/column.ts'
import { type ColumnKind, KINDS } from '../columns/column-key.ts'
import { Consecutive, Same } from '../columns/packed.ts'
import { compareBytes } from '../format/byte-io.ts'
import type { TypeRange } from '../format/segment-head.ts'
import { isJoined, type JoinedPath, type PropertyPath } from '../port/conditions.ts'
import { type DocumentKey, pathKey } from '../port/document.ts'
import { DocumentSet, newBits } from './document-set.ts'
import { SampleHashes } from './sample-hashes.ts'
import type { Segment } from './segment.ts'

/** Live documents by type, cached until the segment's deletions change, since scanning millions takes time. */
const liveSets = new WeakMap<
  Segment,
  { deleted: Uint8Array; deletedCount: number; sets: (DocumentSet | undefined)[] }
>()

/** Hashes of documents by type, kept because hashing millions of ids takes time. */
const sampleHashes = new WeakMap<Segment, SampleHashes[]>()

/** Columns of values of referenced documents. A path to `ANYWHERE` leads to documents with omitted values. */
export interface JoinedColumns {
  column(documents: TypeDocuments, path: JoinedPath, kind: ColumnKind): Column | undefined
  /** Returns the documents with omitted values among the referenced ones. */
  omitted(documents: TypeDocuments, path: JoinedPath): Column | undefined
}

/** Documents of one type in a segment, numbered from its first document. */
export class TypeDocuments {
  readonly segment: Segment
  readonly range: TypeRange
  readonly size: number
  /** Index of the type in the segment's head. */
  readonly type: number
  readonly #joins: JoinedColumns | undefined

  constructor(segment: Segment, type: number, range: TypeRange, joins?: JoinedColumns) {
    this.segment = segment
    this.#joins = joins
    this.range = range
    this.size = range.end - range.first
    this.type = type
  }

  /** Documents that are not deleted. */
  get live(): DocumentSet {
    const { deleted, deletedCount } = this.segment
    if (deleted === undefined) return DocumentSet.all(this.size)
    const known = liveSets.get(this.segment)
    const sets = known?.deleted === deleted && known.deletedCount === deletedCount ? known.sets : []
    if (sets !== known?.sets) liveSets.set(this.segment, { deleted, deletedCount, sets })
    sets[this.type] ??= this.#findLive(deleted)
    return sets[this.type] as DocumentSet
  }

  /** Hashes of the documents, which order a sample. */
  get hashes(): SampleHashes {
    const known = sampleHashes.get(this.segment) ?? []
    sampleHashes.set(this.segment, known)
    known[this.type] ??= new SampleHashes(this.segment, this.range)
    return known[this.type] as SampleHashes
  }

  /** Returns the column of a property, or undefined if no document has a value of this kind. */
  column(property: PropertyPath, kind: ColumnKind): Column | undefined {
    if (isJoined(property)) return this.#joins?.column(this, property, kind)
    if (property === 'type') return kind === 'text' ? this.#typeColumn() : undefined
    if (property === 'id') return kind === 'text' ? this.#idColumn() : undefined
    return this.columnAt(pathKey(property), kind)
  }

  /** Returns the column of a path in its `pathKey` form. */
  columnAt(path: string, kind: ColumnKind): Column | undefined {
    return this.segment.columns.find(this.type, path, kind)
  }

  /** Returns the columns of a property for all kinds, including unindexed values. */
  columns(property: PropertyPath): Column[] {
    if (isJoined(property)) return KINDS.flatMap((kind) => this.column(property, kind) ?? [])
    if (property === 'type' || property === 'id') return [this.#idColumn()]
    return this.segment.columns.kinds(this.type, pathKey(property))
  }

  /** Returns the columns of documents with unindexed values of a property. */
  unindexed(property: PropertyPath): Column[] {
    if (!isJoined(property)) return [this.columnAt(pathKey(property), 'unindexed') ?? []].flat()
    const joined = [this.column(property, 'unindexed'), this.#joins?.omitted(this, property)]
    return [...this.unindexed(property.reference), ...joined].filter((column) => column !== undefined)
  }

  key(document: number): DocumentKey {
    return this.segment.key(this.range.first + document)
  }

  /** Returns how many documents sort before a key. */
  before(key: DocumentKey): number {
    return Math.max(0, Math.min(this.size, this.segment.before(key) - this.range.first))
  }

  #findLive(deleted: Uint8Array): DocumentSet {
    const bits = newBits(this.size)
    const { first } = this.range
    const shift = first & 7
    for (let word = 0; word < bits.length; word++) {
      const at = (first >>> 3) + word * 4
      let gone = 0
      for (let byte = 0; byte < 4; byte++) {
        const both = ((deleted[at + byte] ?? 0) | ((deleted[at + byte + 1] ?? 0) << 8)) >>> shift
        gone |= (both & 0xff) << (8 * byte)
      }
      bits[word] = ~gone
    }
    if (this.size % 32 !== 0) (bits[bits.length - 1] as number) &= 2 ** (this.size % 32) - 1
    return DocumentSet.ofBits(this.size, bits)
  }

  #typeColumn(): Column {
    const name = Buffer.from(this.range.type)
    const texts = {
      count: 1,
      bytes: () => name,
      before: (bytes: Uint8Array) => (compareBytes(name, name.length, bytes, bytes.length) < 0 ? 1 : 0),
    }
    return { ...this.#fullColumn(texts), ordinals: new Same(0, this.size) }
  }

  #idColumn(): Column {
    const { segment, range, size } = this
    const texts = {
      count: size,
      bytes: (ordinal: number) => segment.idBytes(range.first + ordinal),
      before: (bytes: Uint8Array) =>
        Math.max(0, Math.min(size, segment.beforeId(this.type, bytes) - range.first)),
    }
    return this.#fullColumn(texts)
  }

  /** Returns a column with a text of every document: its own, or one of all. */
  #fullColumn(texts: NonNullable<Column['dictionary']['texts']>): Column {
    const all = new Consecutive(0, this.size)
    return {
      ...({ kind: 'text', isFull: true, isMultiple: false } as const),
      documents: this.size,
      values: texts.count,
      dictionary: { texts },
      ...{ ordinals: all, owners: all, sorted: all },
      start: (ordinal) => (ordinal < texts.count ? ordinal : this.size),
    }
  }
}

/** Returns the documents of the requested types in all segments. */
export function typeDocumentsOf(
  segments: readonly Segment[],
  types: readonly string[] | undefined,
  joins?: JoinedColumns,
): TypeDocuments[] {
  const wanted = types && new Set(types)
  return segments.flatMap((segment) =>
    segment.head.types.flatMap((range, at) =>
      wanted?.has(range.type) === false ? [] : new TypeDocuments(segment, at, range, joins),
    ),
  )
}
