/**
 * A short queue in which clients take turns: by address, and within one by connection. Each turn counts as long as the
 * work it stands for, so that a client with few searches waits little, however many others have (start-time fair queueing).
 */
import type { Client } from '../storage/contract.ts'

/** Something that waits for its turn. */
export interface Waiting {
  readonly client: Client
  /** How much work it is, in any unit that all agree on. */
  readonly cost: number
}

/** The most names one level remembers; one that was forgotten begins like a new one. */
const MAX_NAMES = 1_000

/** The most that waits, however little work it is: for each turn, all of an address is looked at. */
const MAX_WAITING = 2_000

/** What waits, and its connection, as a name that is made once. */
interface Entry<Item> {
  readonly item: Item
  readonly connection: string
}

/** All that waits of one address, in the order in which it came. */
interface Line<Item> {
  entries: Entry<Item>[]
  /** Of all of them. */
  cost: number
}

/** What waits, bounded by the work that it will be. */
export class FairQueue<Item extends Waiting> {
  readonly #maxCost: () => number
  readonly #addresses = new Turns()
  readonly #connections = new Turns()
  /** By address. Nobody is here with nothing that waits. */
  readonly #lines = new Map<string, Line<Item>>()
  #size = 0
  #cost = 0

  /** @param maxCost how much work may wait now; one item may always */
  constructor(maxCost: () => number) {
    this.#maxCost = maxCost
  }

  /** How many wait. */
  get size(): number {
    return this.#size
  }

  /** Lets an item wait. Those that have to go for it come back, as of `trim`; it may be the new item itself. */
  add(item: Item): Item[] {
    this.#put([item], 'last')
    return this.trim()
  }

  /** Takes out what is too much: of the address that asks for most, again and again the last in turn. */
  trim(): Item[] {
    const refused: Item[] = []
    while (this.#isTooMuch()) {
      const last = this.#lastOfTheGreediest()
      this.remove(last)
      refused.push(last)
    }
    return refused
  }

  /** Puts back what had its turn already and could not be served. It comes first, and is not counted again. */
  putBack(items: readonly Item[]): void {
    this.#put(items.toReversed(), 'first')
    for (const { client, cost } of items) this.correct(client, -cost)
  }

  /** False if it does not wait any more. */
  remove(item: Item): boolean {
    const { address } = item.client
    const line = this.#lines.get(address)
    const index = line?.entries.findIndex((entry) => entry.item === item) ?? -1
    if (line === undefined || index < 0) return false
    line.entries.splice(index, 1)
    line.cost -= item.cost
    this.#size -= 1
    this.#cost -= item.cost
    if (line.entries.length === 0) this.#lines.delete(address)
    return true
  }

  /** Takes out whose turn it is; undefined if nothing waits. */
  take(): Item | undefined {
    let next: Entry<Item> | undefined
    for (const { entries } of this.#lines.values()) {
      const best = entries.reduce((a, b) => (this.#dueInAddress(b) < this.#dueInAddress(a) ? b : a))
      if (next === undefined || this.#dueOfAddress(best) < this.#dueOfAddress(next)) next = best
    }
    if (next === undefined) return undefined
    const { item, connection } = next
    this.remove(item)
    this.#addresses.serve(item.client.address, item.cost)
    this.#connections.serve(connection, item.cost)
    return item
  }

  /** Everything that waits, which then waits no more. */
  clear(): Item[] {
    const all = [...this.#lines.values()].flatMap(({ entries }) => entries.map(({ item }) => item))
    this.#lines.clear()
    this.#size = 0
    this.#cost = 0
    return all
  }

  /** What a client had its turn for was more work than its cost said, by so much, or less. */
  correct(client: Client, by: number): void {
    this.#addresses.correct(client.address, by)
    this.#connections.correct(connectionOf(client), by)
  }

  #put(items: readonly Item[], where: 'first' | 'last'): void {
    for (const item of items) {
      const { client, cost } = item
      const line = this.#lines.get(client.address) ?? { entries: [], cost: 0 }
      this.#lines.set(client.address, line)
      const entry = { item, connection: connectionOf(client) }
      if (where === 'last') line.entries.push(entry)
      else line.entries.unshift(entry)
      line.cost += cost
      this.#size += 1
      this.#cost += cost
    }
  }

  #isTooMuch(): boolean {
    if (this.#size > MAX_WAITING) return true
    return this.#size > 1 && this.#cost > this.#maxCost()
  }

  #lastOfTheGreediest(): Item {
    const greediest = [...this.#lines.values()].reduce((a, b) => (b.cost > a.cost ? b : a))
    const last = greediest.entries.reduce((a, b) => (this.#dueInAddress(b) >= this.#dueInAddress(a) ? b : a))
    return last.item
  }

  #dueOfAddress({ item: { client, cost } }: Entry<Item>): number {
    return this.#addresses.startOf(client.address) + cost
  }

  #dueInAddress({ item: { cost }, connection }: Entry<Item>): number {
    return this.#connections.startOf(connection) + cost
  }
}

/** When each name was served last, on a clock that only moves with service. */
class Turns {
  #clock = 0
  readonly #finished = new Map<string, number>()

  /** When the next turn of a name begins: right away, or after what it had already. */
  startOf(name: string): number {
    return Math.max(this.#clock, this.#finished.get(name) ?? 0)
  }

  serve(name: string, cost: number): void {
    this.#clock = this.startOf(name)
    if (this.#finished.size >= MAX_NAMES) this.#forget()
    this.#finished.set(name, this.#clock + cost)
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
