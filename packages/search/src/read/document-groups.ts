/** Groups of each document of a result. */
import type { DocumentSet } from './document-set.ts'
import { eachOrdinal } from './each-ordinal.ts'
import type { Matching } from './facets.ts'
import type { KeyColumn, Keys } from './group-keys.ts'
import { PairTable } from './pair-table.ts'
import type { Room } from './room.ts'

const NONE = -1
/** Maximum number of possible groups that are counted in an array. More are numbered as they are found. */
const DENSE = 2 ** 21

/** Numbers of each document of a type: usually one, else a list. */
export class Lists {
  /** A document's only number, `NONE`, or -2 minus the place of its list in `more`. */
  readonly first: Int32Array
  /** Links of lists: a number, and the place of the next link or `NONE`. */
  readonly more: number[] = []
  readonly #room: Room

  constructor(size: number, room: Room) {
    this.first = new Int32Array(size).fill(NONE)
    this.#room = room
  }

  /** Adds a number that the document does not have. */
  add(document: number, number: number): void {
    const known = this.first[document] as number
    if (known === NONE) this.first[document] = number
    else if (this.#room.take(4)) {
      const next = known < NONE ? -2 - known : this.more.push(known, NONE) - 2
      this.first[document] = -2 - (this.more.push(number, next) - 2)
    }
  }

  /** Visits the numbers of a document. */
  each(document: number, visit: (number: number) => void): void {
    const known = this.first[document] as number
    if (known >= 0) visit(known)
    for (let at = -2 - known; at >= 0; at = this.more[at + 1] as number)
      if ((this.more[at] as number) >= 0) visit(this.more[at] as number)
  }

  /** Replaces every number by what `to` returns for it, which may be `NONE`. */
  replace(to: (number: number) => number): void {
    const { first, more } = this
    for (let at = 0; at < first.length; at++)
      if ((first[at] as number) >= 0) first[at] = to(first[at] as number)
    for (let at = 0; at < more.length; at += 2)
      if ((more[at] as number) >= 0) more[at] = to(more[at] as number)
  }
}

/** Documents of a part of the result, with their groups. */
export interface GroupedPart extends Matching {
  readonly lists: Lists
}

/** Groups of all documents of a result by up to two keys. */
export class DocumentGroups {
  readonly parts: readonly GroupedPart[]
  /** Number of documents in each group. */
  counts: Uint32Array
  readonly #width: number
  readonly #room: Room
  /** Groups of the pairs of codes that were found. Undefined if the pairs themselves are the groups. */
  readonly #table: PairTable | undefined
  /** Pairs of codes by group. Undefined if they are equal. */
  #pairs: Float64Array | undefined

  constructor(keys: readonly Keys[], matching: readonly Matching[], room: Room) {
    const [one, other] = keys
    this.#room = room
    this.#width = (other?.codes.count ?? 0) + 1
    const possible = ((one?.codes.count ?? 0) + 1) * this.#width
    if (possible > DENSE || !room.take(possible / 2)) this.#table = new PairTable(room)
    this.parts = matching.flatMap(({ documents, set }, at) => {
      if (set.count === 0 || !room.take((set.size * Math.max(1, keys.length)) / 2)) return []
      const first = codesIn(set, one, at, room)
      const second = other && codesIn(set, other, at, room)
      const lists = second || this.#table ? this.#paired(set, first, second) : first
      return { documents, set, lists }
    })
    this.#pairs = this.#table?.pairs
    this.counts = new Uint32Array(this.#pairs?.length ?? possible)
    for (const { lists } of this.parts)
      lists.replace((group) => {
        ;(this.counts[group] as number)++
        return group
      })
  }

  /** Returns the code of a group's value under a key, or the number of codes for documents without a value. */
  code(group: number, key: number): number {
    const pair = this.#pairs ? (this.#pairs[group] as number) : group
    return key === 0 ? Math.floor(pair / this.#width) : pair % this.#width
  }

  /** Keeps these groups and numbers them in this order. */
  keep(groups: Uint32Array): void {
    const to = new Int32Array(this.counts.length).fill(NONE)
    for (let at = 0; at < groups.length; at++) to[groups[at] as number] = at
    for (const { lists } of this.parts) lists.replace((group) => to[group] as number)
    const { counts } = this
    const pairs = this.#pairs
    this.counts = groups.map((group) => counts[group] as number)
    this.#pairs = pairs
      ? Float64Array.from(groups, (group) => pairs[group] as number)
      : Float64Array.from(groups)
  }

  #paired(set: DocumentSet, first: Lists, second: Lists | undefined): Lists {
    const lists = new Lists(set.size, this.#room)
    set.each((document) => {
      const one = first.first[document] as number
      const other = second ? (second.first[document] as number) : 0
      if (one >= 0 && other >= 0) this.#add(lists, document, one, other)
      else
        first.each(document, (one) => {
          if (second) second.each(document, (other) => this.#add(lists, document, one, other))
          else this.#add(lists, document, one, 0)
        })
      return !this.#room.deadline.step()
    })
    return lists
  }

  #add(lists: Lists, document: number, one: number, other: number): void {
    const pair = one * this.#width + other
    const group = this.#table ? this.#table.number(pair) : pair
    if (group !== NONE) lists.add(document, group)
  }
}

/** Returns the codes of the documents of a set, of which those that were not reached in time have none. */
function codesIn(set: DocumentSet, keys: Keys | undefined, part: number, room: Room): Lists {
  const lists = new Lists(set.size, room)
  const { first } = lists
  const found = keys?.columns[part]
  const missing = keys?.codes.count ?? 0
  const until = found ? addCodes(lists, found, missing, set, room) : set.size
  first.fill(NONE, until)
  const fill = (document: number) => {
    if (document < until && first[document] === NONE) first[document] = missing
    return document < until
  }
  // A loop is faster than a visit to each document.
  if (set.count === set.size) for (let document = 0; document < until; document++) fill(document)
  else set.each(fill)
  return lists
}

/** Adds the distinct codes of each document. Returns the first document that was not reached in time. */
function addCodes(
  lists: Lists,
  { column, codes }: KeyColumn,
  count: number,
  set: DocumentSet,
  room: Room,
): number {
  // Several values of one document may be in the same bin.
  const last = column.isMultiple ? new Int32Array(count).fill(NONE) : undefined
  const add = (ordinal: number, document: number) => {
    const code = codes ? (codes[ordinal] as number) : ordinal
    if (code === NONE || last?.[code] === document) return
    if (last) last[code] = document
    lists.add(document, code)
  }
  return eachOrdinal(column, set, add, room.deadline)
}
