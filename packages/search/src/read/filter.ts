/** Finds the documents for which a condition holds. */

import type { Column } from '../columns/column.ts'
import { REFERENCES, referenceText } from '../columns/column-key.ts'
import { PACKED } from '../columns/packed.ts'
import { bisect } from '../format/bisect.ts'
import type { Condition, PropertyPath } from '../port/conditions.ts'
import type { Deadline } from './deadline.ts'
import { DocumentSet, isFew, newBits, type Sought } from './document-set.ts'
import { PROBED } from './each-ordinal.ts'
import { kindOfLeaf, type Leaf, type Ranges, rangesOf, textRange } from './ordinals.ts'
import type { TypeDocuments } from './type-documents.ts'

/** A column is scanned if more than 1 / `SCANNED` of its entries are wanted, and otherwise read by value. */
const SCANNED = 16

/**
 * Evaluates conditions over the documents of one type in one segment. A condition holds, fails or is unknown for a document.
 * `not` selects the documents for which a condition fails, which may be fewer than those for which it does not hold.
 */
export class Filter {
  readonly #documents: TypeDocuments
  readonly #deadline: Deadline

  constructor(documents: TypeDocuments, deadline: Deadline) {
    this.#documents = documents
    this.#deadline = deadline
  }

  /**
   * Returns the live documents for which a condition holds, or all live documents if there is no condition. Once the
   * deadline has passed, some may be missing, but documents that do not satisfy the condition are never included.
   */
  matches(condition: Condition | undefined): DocumentSet {
    const { live } = this.#documents
    return condition ? this.#set(condition, true).and(live) : live
  }

  /** Returns the documents for which a condition holds or, if `wanted` is false, fails. */
  #set(condition: Condition, wanted: boolean): DocumentSet {
    const { size } = this.#documents
    if (this.#deadline.check()) return DocumentSet.none(size)
    switch (condition.op) {
      case 'not':
        return this.#set(condition.condition, !wanted)
      case 'and':
      case 'or':
        return (condition.op === 'and') === wanted
          ? this.#all(condition.conditions, wanted)
          : this.#any(condition.conditions, wanted)
      case 'in':
        return this.#set({ op: 'or', conditions: equalities(condition) }, wanted)
      case 'containsAll':
        return this.#set({ op: 'and', conditions: equalities(condition) }, wanted)
      case 'absent': {
        const present = this.#presentAt(condition.property)
        if (this.#deadline.check()) return DocumentSet.none(size)
        return wanted ? DocumentSet.all(size).without(present) : present
      }
      case 'refersTo': {
        const referring = this.#referring(condition)
        return wanted ? referring : DocumentSet.all(size).without(referring)
      }
      default:
        return new LeafSet(this.#documents, condition, wanted, this.#deadline).set()
    }
  }

  /** Intersects the conditions' sets, starting with the smallest, so that the others may only need probing. */
  #all(conditions: readonly Condition[], wanted: boolean): DocumentSet {
    const leaves: LeafSet[] = []
    const others: Condition[] = []
    for (const condition of conditions) {
      const [leaf, isWanted] = leafOf(condition, wanted)
      if (leaf) leaves.push(new LeafSet(this.#documents, leaf, isWanted, this.#deadline))
      else others.push(condition)
      if (this.#deadline.check()) return DocumentSet.none(this.#documents.size)
    }
    leaves.sort((left, right) => left.estimate - right.estimate)
    let found = DocumentSet.all(this.#documents.size)
    for (const leaf of leaves) {
      if (found.count === 0) return found
      found = leaf.within(found)
    }
    for (const other of others) if (found.count > 0) found = found.and(this.#set(other, wanted))
    return found
  }

  #any(conditions: readonly Condition[], wanted: boolean): DocumentSet {
    let found = DocumentSet.none(this.#documents.size)
    for (const condition of conditions) found = found.or(this.#set(condition, wanted))
    return found
  }

  #presentAt(property: PropertyPath): DocumentSet {
    return this.#documents
      .columns(property)
      .reduce((found, column) => found.or(presentIn(column)), DocumentSet.none(this.#documents.size))
  }

  #referring({ target }: Extract<Condition, { op: 'refersTo' }>): DocumentSet {
    const column = this.#documents.columnAt(REFERENCES, 'reference')
    if (!column) return DocumentSet.none(this.#documents.size)
    return setOf(column, referrersIn(column, target))
  }
}

/** Returns the references to `target` in the column of all references. Each referring path is a separate value. */
export function referrersIn(column: Column, target: { readonly type: string; readonly id: string }): Ranges {
  return target.id.isWellFormed() ? textRange(column, Buffer.from(`${referenceText(target)}\n`)) : []
}

/** Returns the documents that have any value in the column. */
export function presentIn(column: Column): DocumentSet {
  if (column.isFull) return DocumentSet.all(column.documents)
  return DocumentSet.ofRun(column.documents, column.owners, 0, column.owners.count)
}

/** Returns the documents that have a value in these ranges. */
export function setOf(column: Column, ranges: Ranges): DocumentSet {
  const { documents, sorted, isFull } = column
  const wanted = entriesIn(column, ranges)
  const [only] = ranges
  if (wanted === 0 || !only) return DocumentSet.none(documents)
  if (wanted === sorted.count) return presentIn(column)
  if (ranges.length > 1)
    return ranges.reduce((found, range) => found.or(setOf(column, [range])), DocumentSet.none(documents))
  // If every document has exactly one value, the size of the set is known in advance.
  if (isFull && !isFew(wanted, documents))
    return DocumentSet.sought(documents, wanted, new WithValues(column, only))
  return wanted * SCANNED > sorted.count
    ? DocumentSet.ofBits(documents, scanned(column, only))
    : runOf(column, only)
}

function runOf(column: Column, [from, end]: Ranges[number]): DocumentSet {
  return DocumentSet.ofRun(column.documents, column.sorted, column.start(from), column.start(end))
}

function entriesIn(column: Column, ranges: Ranges): number {
  return ranges.reduce((sum, [from, end]) => sum + column.start(end) - column.start(from), 0)
}

/** Documents of a full column with values in a range, found lazily. */
class WithValues implements Sought {
  readonly #column: Column
  readonly #range: Ranges[number]

  constructor(column: Column, range: Ranges[number]) {
    this.#column = column
    this.#range = range
  }

  bits(): Uint32Array {
    const wanted = entriesIn(this.#column, [this.#range])
    return wanted * SCANNED > this.#column.documents
      ? scanned(this.#column, this.#range)
      : runOf(this.#column, this.#range).toBits()
  }

  has(document: number): boolean {
    return isIn([this.#range], this.#column.ordinals.at(document))
  }

  /** Visits the documents in order, skipping blocks without values in the range. */
  each(visit: (document: number) => boolean, from: number): void {
    const { ordinals } = this.#column
    const [low, end] = this.#range
    for (let block = Math.floor(from / PACKED); block * PACKED < ordinals.count; block++) {
      if (ordinals.most(block) < low || ordinals.least(block) >= end) continue
      const first = block * PACKED
      const numbers = ordinals.block(block)
      for (let at = Math.max(0, from - first); at < numbers.length; at++)
        if (((numbers[at] as number) - low) >>> 0 < end - low && !visit(first + at)) return
    }
  }
}

/** Scans a column's entries block by block, skipping blocks without values in the range. */
function scanned({ documents, ordinals, owners, isFull }: Column, [from, end]: Ranges[number]): Uint32Array {
  const bits = newBits(documents)
  const width = end - from
  for (let block = 0; block * PACKED < ordinals.count; block++) {
    if (ordinals.least(block) >= end || ordinals.most(block) < from) continue
    const numbers = ordinals.block(block)
    if (isFull) scanFull(numbers, from, width, bits, (block * PACKED) >>> 5)
    else {
      const documents = owners.block(block)
      for (let at = 0; at < numbers.length; at++) {
        if (((numbers[at] as number) - from) >>> 0 >= width) continue
        const document = documents[at] as number
        ;(bits[document >>> 5] as number) |= 1 << (document & 31)
      }
    }
  }
  return bits
}

function scanFull(numbers: Uint32Array, from: number, width: number, bits: Uint32Array, into: number): void {
  const count = numbers.length
  for (let at = 0, word = into; at < count; word++) {
    const stop = Math.min(count, at + 32)
    let set = 0
    for (let bit = 0; at < stop; at++, bit++)
      if (((numbers[at] as number) - from) >>> 0 < width) set |= 1 << bit
    bits[word] = set
  }
}

function equalities(condition: Extract<Condition, { op: 'in' | 'containsAll' }>): Condition[] {
  const { property, values } = condition
  return values.map((value) => ({ op: '=', property, value }))
}

/** Strips negations. Returns the inner condition (undefined unless it tests a single column) and whether it must hold. */
function leafOf(condition: Condition, wanted: boolean): readonly [leaf: Leaf | undefined, wanted: boolean] {
  switch (condition.op) {
    case 'not':
      return leafOf(condition.condition, !wanted)
    case 'and':
    case 'or':
    case 'in':
    case 'containsAll':
    case 'absent':
    case 'refersTo':
      return [undefined, wanted]
    default:
      return [condition, wanted]
  }
}

/** Set of documents for which a condition on one column holds or fails. */
class LeafSet {
  /** Estimated number of documents in the set. */
  readonly estimate: number
  readonly #size: number
  readonly #column: Column | undefined
  readonly #ranges: Ranges
  readonly #isWanted: boolean
  readonly #deadline: Deadline

  constructor(documents: TypeDocuments, leaf: Leaf, isWanted: boolean, deadline: Deadline) {
    this.#deadline = deadline
    const kind = kindOfLeaf(leaf)
    this.#size = documents.size
    this.#column = kind && documents.column(leaf.property, kind)
    this.#ranges = this.#column ? rangesOf(this.#column, leaf, deadline) : []
    this.#isWanted = isWanted
    const entries = this.#column ? entriesIn(this.#column, this.#ranges) : 0
    this.estimate = isWanted ? entries : (this.#column?.sorted.count ?? 0) - entries
  }

  set(): DocumentSet {
    // Once the deadline has passed, the ranges may be incomplete and prove nothing.
    if (!this.#column || this.#deadline.check()) return DocumentSet.none(this.#size)
    const fitting = setOf(this.#column, this.#ranges)
    return this.#isWanted ? fitting : presentIn(this.#column).without(fitting)
  }

  /** Returns the intersection with `found`, a set that is already known. */
  within(found: DocumentSet): DocumentSet {
    const column = this.#column
    if (
      column &&
      !this.#deadline.passed &&
      found.list &&
      found.count * PROBED < this.estimate &&
      column.isFull
    ) {
      const ranges = this.#ranges
      return found.filter((document) => isIn(ranges, column.ordinals.at(document)) === this.#isWanted)
    }
    return found.and(this.set())
  }
}

function isIn(ranges: Ranges, ordinal: number): boolean {
  const at = bisect(0, ranges.length, (range) => (ranges[range]?.[1] ?? 0) <= ordinal)
  return (ranges[at]?.[0] ?? Number.POSITIVE_INFINITY) <= ordinal
}
