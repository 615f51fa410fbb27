/** Columns of the values to which references lead, as if each document had the values of those that it refers to. */
import type { Column } from '../columns/column.ts'
import type { ColumnKind } from '../columns/column-key.ts'
import { memoryColumn } from '../columns/memory-column.ts'
import { mergeValues, type ValuePart } from '../columns/merged-values.ts'
import { sortEntries } from '../columns/sort-entries.ts'
import { grown } from '../format/byte-io.ts'
import type { JoinedPath } from '../port/conditions.ts'
import { ANYWHERE } from '../port/document.ts'
import type { Deadline } from './deadline.ts'
import { DocumentSet } from './document-set.ts'
import { eachOrdinal } from './each-ordinal.ts'
import { type Link, linksOf, type Targets, targetsOf } from './link.ts'
import type { Segment } from './segment.ts'
import { type JoinedColumns, type TypeDocuments, typeDocumentsOf } from './type-documents.ts'

/** Maximum number of entries made for one query, of up to 12 bytes each. A query that needs more is cut short. */
const MAX_ENTRIES = 20_000_000
/** Maximum memory for the results kept for the documents of one segment, in bytes, and that of a result without content. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024
const RESULT_BYTES = 400

/** Result derived from links, valid while these lead to the same live documents. */
interface Made<Value = unknown> {
  readonly value: Value
  readonly bytes: number
  readonly from: readonly LinkState[]
}
type Unkept<Value> = Omit<Made<Value>, 'from'>
type LinkState = readonly [segment: Segment, deleted: Uint8Array | undefined, deletedCount: number]

/** Results of earlier queries by segment of the referring documents and by name, oldest first. */
const kept = new WeakMap<Segment, Map<string, Made>>()

/** A link with the column of the values in the documents to which it leads. */
interface Lead {
  readonly link: Link
  readonly values: Column
}

/** Makes the joined columns for one query. Once its deadline has passed, columns are missing. */
export class Joins implements JoinedColumns {
  readonly #segments: ReadonlySet<Segment>
  readonly #all: ReadonlyMap<string, readonly TypeDocuments[]>
  readonly #deadline: Deadline
  readonly #made = new Map<string, Made>()
  #entriesLeft: number

  constructor(segments: readonly Segment[], deadline: Deadline, maxEntries = MAX_ENTRIES) {
    this.#entriesLeft = maxEntries
    this.#segments = new Set(segments)
    this.#all = Map.groupBy(typeDocumentsOf(segments, undefined), ({ range }) => range.type)
    this.#deadline = deadline
  }

  column(documents: TypeDocuments, path: JoinedPath, kind: ColumnKind): Column | undefined {
    const name = `${kind} ${JSON.stringify(path)}`
    return this.#joined(documents, path, { name, kind }, (target) => target.column(path.property, kind))
  }

  omitted(documents: TypeDocuments, path: JoinedPath): Column | undefined {
    const name = `${ANYWHERE} ${JSON.stringify({ ...path, property: '' })}`
    const columnOf = (target: TypeDocuments) => target.columnAt(ANYWHERE, 'unindexed')
    return this.#joined(documents, path, { name, kind: 'unindexed' }, columnOf)
  }

  #joined(
    documents: TypeDocuments,
    path: JoinedPath,
    { name, kind }: { readonly name: string; readonly kind: ColumnKind },
    columnOf: (target: TypeDocuments) => Column | undefined,
  ): Column | undefined {
    const leads = linksOf(documents, path, this.#all).flatMap((link): Lead[] => {
      const values = columnOf(link.documents)
      return values ? [{ link, values }] : []
    })
    if (leads.length === 0) return undefined
    const links = leads.map(({ link }) => link)
    return this.#once(documents, name, links, () => this.#make(documents, path, kind, leads))
  }

  /** Makes a result, unless it was made before from the same documents. Returns undefined if it is cut short. */
  #once<Value>(
    { segment, type }: TypeDocuments,
    what: string,
    links: readonly Link[],
    make: () => Unkept<Value> | undefined,
  ): Value | undefined {
    const name = `${type} ${what}`
    const ofSegment = kept.get(segment) ?? new Map<string, Made>()
    const from = links.map(
      ({ documents }): LinkState => [
        documents.segment,
        documents.segment.deleted,
        documents.segment.deletedCount,
      ],
    )
    const known = this.#made.get(`${segment.id} ${name}`) ?? ofSegment.get(name)
    if (known && isSame(known.from, from)) return known.value as Value
    const made = make()
    if (!made || this.#deadline.passed) return undefined
    this.#made.set(`${segment.id} ${name}`, { ...made, from })
    // Results that lead to replaced segments would keep these in memory.
    for (const [other, { from }] of ofSegment)
      if (!from.every(([each]) => this.#segments.has(each))) ofSegment.delete(other)
    keep(ofSegment, name, { ...made, from })
    kept.set(segment, ofSegment)
    return made.value
  }

  #make(
    documents: TypeDocuments,
    path: JoinedPath,
    kind: ColumnKind,
    leads: readonly Lead[],
  ): Unkept<Column | undefined> | undefined {
    const led = new LedEntries()
    for (const { link, values } of leads) {
      const name = `${link.prefix}to ${link.documents.segment.id} by ${JSON.stringify([path.reference, path.texts])}`
      const targets = this.#once(documents, name, [link], () => {
        const value = targetsOf(link, this.#deadline)
        return { value, bytes: 8 * value.found.length }
      })
      if (targets) led.add(link, targets, values, () => this.#isOver())
    }
    if (led.count === 0) return { value: undefined, bytes: 0 }
    for (const work = led.column(kind, documents.size); !this.#deadline.check(); ) {
      const { done, value } = work.next()
      if (done) return value
    }
    return undefined
  }

  /** Counts an entry. Returns true if there are too many of them, or time has run out. */
  #isOver(): boolean {
    this.#entriesLeft -= 1
    // Everything after this must be as incomplete as if time had run out.
    if (this.#entriesLeft < 0) this.#deadline.passed = true
    return this.#deadline.step()
  }
}

/** Entries of referring documents, with the values of the documents to which they refer. */
class LedEntries {
  count = 0
  #owners = new Uint32Array(256)
  #ordinals = new Uint32Array(256)
  /** Columns of values. A column to which several links lead is one part, since it is read in order. */
  readonly #parts = new Map<Column, ValuePart>()
  /** Parts by the end of their entries. */
  readonly #ends: (readonly [part: ValuePart, end: number])[] = []

  /** Adds an entry for each referring document and each value of the document to which it refers, until `isOver`. */
  add({ column }: Link, { found, references }: Targets, values: Column, isOver: () => boolean): void {
    const part = this.#parts.get(values) ?? {
      dictionary: values.dictionary,
      isUsed: new Uint8Array(values.values),
      ordinals: new Int32Array(values.values),
    }
    let at = 0
    eachOrdinal(values, DocumentSet.ofList(values.documents, found), (ordinal, document) => {
      while (found[at] !== document) at += 1
      part.isUsed[ordinal] = 1
      const reference = references[at] as number
      const end = column.start(reference + 1)
      for (let entry = column.start(reference); entry < end && !isOver(); entry++)
        this.#add(column.sorted.at(entry), ordinal)
    })
    this.#parts.set(values, part)
    this.#ends.push([part, this.count])
  }

  /** Makes the column of all entries in steps. */
  *column(kind: ColumnKind, documents: number): Generator<void, Unkept<Column>> {
    const values = yield* mergeValues([...this.#parts.values()])
    const [owners, ordinals] = [this.#owners, this.#ordinals]
    let at = 0
    for (const [part, end] of this.#ends)
      for (; at < end; at++) ordinals[at] = part.ordinals[ordinals[at] as number] as number
    const count = sortEntries(owners, ordinals, this.count)
    yield
    return yield* memoryColumn(kind, documents, values, { owners, ordinals, count })
  }

  #add(owner: number, ordinal: number): void {
    if (this.count === this.#owners.length) {
      this.#owners = grown(this.#owners, Uint32Array)
      this.#ordinals = grown(this.#ordinals, Uint32Array)
    }
    this.#owners[this.count] = owner
    this.#ordinals[this.count++] = ordinal
  }
}

function isSame(one: readonly LinkState[], other: readonly LinkState[]): boolean {
  const isEqual = (state: LinkState, at: number) => state.every((part, index) => part === other[at]?.[index])
  return one.length === other.length && one.every(isEqual)
}

/** Adds a result, and removes the oldest ones if they take too much memory. */
function keep(results: Map<string, Made>, name: string, made: Made): void {
  results.delete(name)
  results.set(name, made)
  let bytes = 0
  for (const result of results.values()) bytes += result.bytes + RESULT_BYTES
  for (const [oldest, result] of results) {
    if (bytes <= MAX_KEPT_BYTES) return
    results.delete(oldest)
    bytes -= result.bytes + RESULT_BYTES
  }
}
