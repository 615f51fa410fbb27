/** Change log of the memory engine: the last change to every entity, in order. */
import { compareUtf8 } from './compare-utf8.ts'
import type { Change, ChangesOptions, StoredEntity } from './contract.ts'
import { type Offset, offsetText, positionOf, type Reach, type Stretch, stretchesAfter } from './history.ts'

/** A change to one entity. `isOutdated` is true if a later change replaced this one, or if this one was trimmed. */
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

/** Change log, ascending by number, type and id, with one current entry per entity. */
export class MemoryLog {
  #entries: Entry[] = []
  readonly #last = new Map<string, Entry>()
  /** Write number up to which tombstones may have been forgotten. */
  trimmed = 0

  /** Records changes. Their numbers are above all recorded ones, except for writes that were pending (see `Reach`). */
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

  /** Clears the log before a history is recorded from its beginning. */
  clear(): void {
    this.#entries = []
    this.#last.clear()
    this.trimmed = 0
  }

  /** Records that the followed store may have forgotten tombstones up to write `number`. */
  trimmedAlso(number: number): void {
    this.trimmed = Math.max(this.trimmed, number)
  }

  /** Removes tombstones older than `before`, in milliseconds since 1970. */
  trim(before: number): void {
    for (const entry of this.#entries) {
      if (entry.isOutdated || entry.deletedAt === undefined) continue
      if (entry.deletedAt >= before) return
      entry.isOutdated = true
      this.#last.delete(keyOf(entry))
      this.trimmed = entry.number
    }
  }

  /** Returns up to `limit` changes after an offset, and whether there are more. */
  after(
    reach: Reach,
    offset: Offset,
    { types, limit }: ChangesOptions,
    get: (type: string, id: string) => StoredEntity | undefined,
  ): { readonly changes: Change[]; readonly more: boolean } {
    const changes: Change[] = []
    const wanted = types && new Set(types)
    for (const stretch of stretchesAfter(offset, reach))
      for (let at = this.#firstOf(stretch); Number(this.#entries[at]?.number) <= stretch.to; at++) {
        const { number, type, id, isOutdated, deletedAt } = this.#entries[at] as Entry
        if (isOutdated || wanted?.has(type) === false) continue
        if (changes.length === limit) return { changes, more: true }
        const entity = deletedAt === undefined ? get(type, id) : undefined
        const [key, position] = [{ type, id }, positionOf(reach.epoch, number)]
        const text = offsetText(reach.epoch, { ...stretch, number, key })
        changes.push({ ...key, ...(entity && { entity }), position, offset: text })
      }
    return { changes, more: false }
  }

  #firstOf({ from, key }: Stretch): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const entry = this.#entries[middle] as Entry
      const isBefore =
        entry.number < from || (entry.number === from && key !== undefined && inKeyOrder(entry, key) <= 0)
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
