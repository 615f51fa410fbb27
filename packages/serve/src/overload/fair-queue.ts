/**
 * Weighted fair queue: addresses take turns, and so do the connections of each address. Turns are weighted by their work, so
 * that a client with few searches waits only briefly behind clients with many.
 */
import type { Client } from '@worldwright/core/store'

/** An item that can be queued. */
export interface Waiting {
  readonly client: Client
  /** Work of the item, in the unit of the queue's maximum cost. */
  readonly cost: number
}

/** Maximum number of queued items, regardless of their cost. */
const MAX_WAITING = 10_000

/** Maximum number of addresses, and of connections, to track: more than can be queued. Forgotten ones count as new. */
const MAX_NAMES = 2 * MAX_WAITING

/** A queued item with its turn among the connections of its address. */
interface Entry<Item> {
  readonly item: Item
  readonly start: number
  /** End of the turn in virtual time. The earliest is served first. */
  readonly due: number
}

/** Queued items of one address. The next item to serve is at the end. */
interface Line<Item> {
  readonly entries: Entry<Item>[]
  /** Total cost of the entries. */
  cost: number
}

/** A fair queue that is bounded by the work in it. */
export class FairQueue<Item extends Waiting> {
  readonly #maxCost: () => number
  readonly #addresses = new Turns()
  readonly #connections = new Turns()
  /** Lines by address. Invariant: no line is empty. */
  readonly #lines = new Map<string, Line<Item>>()
  #size = 0
  #cost = 0

  /** @param maxCost returns the current maximum total cost; a single item is always accepted */
  constructor(maxCost: () => number) {
    this.#maxCost = maxCost
  }

  get size(): number {
    return this.#size
  }

  /**
   * Queues an item. Returns the evicted items: the last ones of the address with the most queued work, which may include the
   * item itself.
   */
  add(item: Item): Item[] {
    const { client, cost } = item
    const start = this.#connections.book(connectionOf(client), cost)
    const { entries } = this.#count(item, 1)
    const entry = { item, start, due: start + cost }
    entries.splice(placeIn(entries, entry.due), 0, entry)
    const refused: Item[] = []
    while (this.#size > MAX_WAITING || (this.#size > 1 && this.#cost > this.#maxCost())) {
      const last = this.#lastOfTheGreediest()
      if (last === undefined || !this.remove(last)) break
      refused.push(last)
    }
    return refused
  }

  /** Puts back taken items that could not be served. They are served first and are not charged again. */
  putBack(items: readonly Item[]): void {
    for (const item of items.toReversed()) {
      this.#count(item, 1).entries.push({ item, start: 0, due: Number.NEGATIVE_INFINITY })
      this.#addresses.correct(item.client.address, -item.cost)
    }
  }

  /** Removes an item. Returns false if it is no longer queued. */
  remove(item: Item): boolean {
    const { client, cost } = item
    const line = this.#lines.get(client.address)
    const index = line?.entries.findIndex((entry) => entry.item === item) ?? -1
    if (line === undefined || index < 0) return false
    line.entries.splice(index, 1)
    this.#count(item, -1)
    this.#connections.correct(connectionOf(client), -cost)
    return true
  }

  /** Removes and returns the next item, or undefined if the queue is empty. */
  take(): Item | undefined {
    let next: Line<Item> | undefined
    let least = Number.POSITIVE_INFINITY
    for (const [address, line] of this.#lines) {
      const due = this.#addresses.nextOf(address) + (line.entries.at(-1)?.item.cost ?? 0)
      if (due < least) [next, least] = [line, due]
    }
    const entry = next?.entries.pop()
    if (entry === undefined) return undefined
    const { item, start } = entry
    const { client, cost } = item
    this.#addresses.advance(this.#addresses.nextOf(client.address), cost / (this.#lines.size + 1))
    this.#addresses.correct(client.address, cost)
    this.#connections.advance(start, cost / (this.#size + 1))
    this.#count(item, -1)
    return item
  }

  /** Empties the queue and returns its items. */
  clear(): Item[] {
    const all = [...this.#lines.values()].flatMap(({ entries }) => entries.map(({ item }) => item))
    this.#lines.clear()
    this.#size = 0
    this.#cost = 0
    return all
  }

  /** Corrects the charge for a taken item whose work exceeded its cost by `by`, which may be negative. */
  correct({ client }: Item, by: number): void {
    this.#addresses.correct(client.address, by)
    this.#connections.correct(connectionOf(client), by)
  }

  /** Updates the counts for an item that is added or removed, and returns the line of its address. */
  #count({ client: { address }, cost }: Item, by: 1 | -1): Line<Item> {
    const known = this.#lines.get(address)
    if (known === undefined) this.#addresses.book(address, 0)
    const line = known ?? { entries: [], cost: 0 }
    this.#size += by
    this.#cost += by * cost
    line.cost += by * cost
    if (by < 0 && line.entries.length === 0) this.#lines.delete(address)
    else this.#lines.set(address, line)
    return line
  }

  #lastOfTheGreediest(): Item | undefined {
    const [first, ...others] = this.#lines.values()
    const greediest = others.reduce((a, b) => (a !== undefined && b.cost <= a.cost ? a : b), first)
    return greediest?.entries[0]?.item
  }
}

/** Returns the insertion index for an entry with this `due`. Entries with the same `due` keep their order of arrival. */
function placeIn(entries: readonly Entry<unknown>[], due: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.due ?? due) > due) low = middle + 1
    else high = middle
  }
  return low
}

/** Turns by name, on a virtual clock that advances only when items are served (weighted fair queueing). */
class Turns {
  #clock = 0
  readonly #finished = new Map<string, number>()

  /** Returns the start of a name's next turn, which may be in the past. */
  nextOf(name: string): number {
    return this.#finished.get(name) ?? this.#clock
  }

  /** Books the next turn of a name, and returns its start: now, or the end of the last booked turn. */
  book(name: string, cost: number): number {
    const start = Math.max(this.#clock, this.nextOf(name))
    if (this.#finished.size >= MAX_NAMES) this.#forget()
    this.#finished.set(name, start + cost)
    return start
  }

  /**
   * Advances the clock for a served turn that began at `start`. `share` is the turn's part of a round in which every waiting
   * name has one turn. This keeps new names from starving names that had a turn and wait for the next round.
   */
  advance(start: number, share: number): void {
    this.#clock = Math.max(this.#clock + share, start)
  }

  correct(name: string, by: number): void {
    const finished = this.#finished.get(name)
    if (finished !== undefined) this.#finished.set(name, finished + by)
  }

  #forget(): void {
    for (const [name, finished] of this.#finished) if (finished <= this.#clock) this.#finished.delete(name)
    if (this.#finished.size >= MAX_NAMES) this.#finished.clear()
  }
}

function connectionOf({ address, connection }: Client): string {
  return `${address} ${connection}`
}
