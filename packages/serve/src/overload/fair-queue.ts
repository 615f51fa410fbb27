/**
 * A queue in which clients take turns: by address, and within an address by connection. Each turn is weighted by its work, so
 * that a client with few searches waits little, however many others have.
 */
import type { Client } from '@worldwright/core/store'

/** An item that waits for its turn. */
export interface Waiting {
  readonly client: Client
  /** Work, in the unit of the queue's bound. */
  readonly cost: number
}

/** Maximum queued items, however little work they are. */
const MAX_WAITING = 10_000

/** Maximum names that one level remembers: more than can wait. A forgotten name begins like a new one. */
const MAX_NAMES = 2 * MAX_WAITING

/** A queued item, and its turn among the connections of its address. */
interface Entry<Item> {
  readonly item: Item
  readonly start: number
  /** End of the turn, in virtual time: the earliest is served first. */
  readonly due: number
}

/** Queued items of one address, the next one last. */
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
  /** By address. Invariant: no line is empty. */
  readonly #lines = new Map<string, Line<Item>>()
  #size = 0
  #cost = 0

  /** @param maxCost returns the maximum work that may wait now; a single item may always wait */
  constructor(maxCost: () => number) {
    this.#maxCost = maxCost
  }

  /** Number of queued items. */
  get size(): number {
    return this.#size
  }

  /**
   * Queues an item. Returns the items evicted for it: the last in turn of the address with the most queued work, which may be
   * the item itself.
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

  /** Puts back items that were taken and could not be served. They go first, and are not charged again. */
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

  /** Takes the next item in turn; undefined if the queue is empty. */
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

  /** Empties the queue, and returns what was in it. */
  clear(): Item[] {
    const all = [...this.#lines.values()].flatMap(({ entries }) => entries.map(({ item }) => item))
    this.#lines.clear()
    this.#size = 0
    this.#cost = 0
    return all
  }

  /** Corrects the charge for an item that was taken: its work exceeded its cost by `by`, which may be negative. */
  correct({ client }: Item, by: number): void {
    this.#addresses.correct(client.address, by)
    this.#connections.correct(connectionOf(client), by)
  }

  /** Updates the counts for an item that begins or ceases to wait, in the line of its address. */
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

/** Returns the index for an entry of this `due`, behind those that are due at the same time and came before it. */
function placeIn(entries: readonly Entry<unknown>[], due: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.due ?? due) > due) low = middle + 1
    else high = middle
  }
  return low
}

/** Turns by name, on a virtual clock that advances only with service (weighted fair queueing). */
class Turns {
  #clock = 0
  readonly #finished = new Map<string, number>()

  /** Returns the start of the next turn of a name that waits. Fixed at arrival: the clock may pass it. */
  nextOf(name: string): number {
    return this.#finished.get(name) ?? this.#clock
  }

  /** Books the next turn of a name, and returns its start: now, or after the turns that it has already. */
  book(name: string, cost: number): number {
    const start = Math.max(this.#clock, this.nextOf(name))
    if (this.#finished.size >= MAX_NAMES) this.#forget()
    this.#finished.set(name, start + cost)
    return start
  }

  /**
   * Advances the clock for a served turn that began at `start`. `share`: its part of the work of a round in which every waiting
   * name has one turn. So names that keep coming do not hold up those that had their turn and wait for the next round.
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
