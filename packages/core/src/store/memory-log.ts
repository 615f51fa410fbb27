/** The log of the memory engine: the last change of every entity, in order. */

import { compareUtf8 } from './compare-utf8.ts'
import type { Change, ChangesOptions, StoredEntity } from './contract.ts'
import { type Place, placeText, positionOf, type Reach } from './history.ts'

/** The last change of one entity. `isOutdated`: a later one follows. */
interface Entry {
  readonly number: number
  readonly type: string
  readonly id: string
  /** Time of the deletion, in milliseconds since 1970; undefined if the entity exists. */
  readonly deletedAt: number | undefined
  isOutdated: boolean
}

/** A change to be recorded in the log. */
export type Recorded = Pick<Entry, 'number' | 'type' | 'id' | 'deletedAt'>

/** Log of changes, ascending by number, type and id; each entity counts once. */
export class MemoryLog {
  #entries: Entry[] = []
  readonly #last = new Map<string, Entry>()
  /** Tombstones up to this number may be forgotten. */
  trimmed = 0

  /** Records changes. They come after all recorded ones, except for those of writes that were pending: see `Reach`. */
  record(changes: readonly Recorded[]): void {
    const last = this.#entries.at(-1)
    for (const change of changes.toSorted(inOrder)) {
      const key = keyOf(change)
      const before = this.#last.get(key)
      if (before) before.isOutdated = true
      const entry = { ...change, isOutdated: false }
      this.#entries.push(entry)
      this.#last.set(key, entry)
    }
    if (last && changes.some((change) => inOrder(change, last) < 0)) this.#entries.sort(inOrder)
    if (this.#entries.length > 2 * this.#last.size + 64)
      this.#entries = this.#entries.filter(({ isOutdated }) => !isOutdated)
  }

  /** Forgets everything: another history begins. */
  clear(): void {
    this.#entries = []
    this.#last.clear()
    this.trimmed = 0
  }

  /** Records that the followed store may have forgotten tombstones up to a number. */
  trimmedAlso(number: number): void {
    this.trimmed = Math.max(this.trimmed, number)
  }

  /** Forgets tombstones older than a moment, in milliseconds since 1970. */
  trim(before: number): void {
    for (const entry of this.#entries) {
      if (entry.isOutdated || entry.deletedAt === undefined) continue
      if (entry.deletedAt >= before) return
      entry.isOutdated = true
      this.#last.delete(keyOf(entry))
      this.trimmed = entry.number
    }
  }

  /** Returns the changes after an offset, up to the limit, and whether there are more. */
  after(
    { epoch, pending }: Reach,
    place: Place,
    { types, limit }: ChangesOptions,
    get: (type: string, id: string) => StoredEntity | undefined,
  ): { readonly changes: Change[]; readonly more: boolean } {
    const changes: Change[] = []
    const wanted = types && new Set(types)
    for (const { number, type, id, isOutdated, deletedAt } of this.#entriesAfter(place)) {
      if (isOutdated || wanted?.has(type) === false) continue
      if (changes.length === limit) return { changes, more: true }
      const entity = deletedAt === undefined ? get(type, id) : undefined
      const text = placeText(epoch, { number, key: { type, id }, begun: place.begun, pending })
      changes.push({ type, id, ...(entity && { entity }), position: positionOf(epoch, number), place: text })
    }
    return { changes, more: false }
  }

  *#entriesAfter(place: Place): Generator<Entry> {
    const { pending = [] } = place
    for (const entry of pending.length > 0 ? this.#entries : [])
      if (pending.includes(entry.number)) yield entry
    for (let at = this.#firstAfter(place); at < this.#entries.length; at++) yield this.#entries[at] as Entry
  }

  #firstAfter({ number, key }: Place): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const entry = this.#entries[middle] as Entry
      const isBefore =
        entry.number < number || (entry.number === number && !(key && inKeyOrder(entry, key) > 0))
      if (isBefore) low = middle + 1
      else high = middle
    }
    return low
  }
}

type Key = Pick<Entry, 'type' | 'id'>

function inOrder(left: Recorded, right: Recorded): number {
  return left.number - right.number || inKeyOrder(left, right)
}

function inKeyOrder(left: Key, right: Key): number {
  return compareUtf8(left.type, right.type) || compareUtf8(left.id, right.id)
}

function keyOf({ type, id }: Key): string {
  return `${type}\n${id}`
}
