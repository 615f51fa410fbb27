/**
 * A short queue in which clients take turns: by address, and within one by connection. Each turn counts as long as the
 * work it stands for, so that who asks for little waits little, however much others ask for (start-time fair queueing).
 */
import type { Client } from '../storage/contract.ts'

/** Something that waits for its turn. */
export interface Waiting {
  readonly client: Client
  /** How much work it is, in any unit that all agree on. */
  readonly cost: number
}

/** The most names one level remembers; who has waited for long since then begins like a newcomer. */
const MAX_NAMES = 1_000

/** The most that waits, however little work it is. */
const MAX_WAITING = 256

/** What waits, bounded by the work that it will be. */
export class FairQueue<Item extends Waiting> {
  readonly #maxCost: () => number
  readonly #addresses = new Turns()
  readonly #connections = new Turns()
  #waiting: Item[] = []

  /** @param maxCost how much work may wait now; one item may always */
  constructor(maxCost: () => number) {
    this.#maxCost = maxCost
  }

  get size(): number {
    return this.#waiting.length
  }

  /** Lets an item wait. Those that have to go for it come back, as of `trim`; it may be the new item itself. */
  add(item: Item): Item[] {
    this.#waiting.push(item)
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
    this.#waiting.unshift(...items)
    for (const { client, cost } of items) this.correct(client, -cost)
  }

  /** False where it does not wait any more. */
  remove(item: Item): boolean {
    const index = this.#waiting.indexOf(item)
    if (index >= 0) this.#waiting.splice(index, 1)
    return index >= 0
  }

  /** Takes out whose turn it is; undefined where nothing waits. */
  take(): Item | undefined {
    const best = new Map<string, Item>()
    for (const item of this.#waiting) {
      const rival = best.get(item.client.address)
      if (rival === undefined || this.#dueInAddress(item) < this.#dueInAddress(rival))
        best.set(item.client.address, item)
    }
    let next: Item | undefined
    for (const item of best.values())
      if (next === undefined || this.#dueOfAddress(item) < this.#dueOfAddress(next)) next = item
    if (next === undefined) return undefined
    this.remove(next)
    this.#addresses.serve(next.client.address, next.cost)
    this.#connections.serve(connectionOf(next.client), next.cost)
    return next
  }

  /** Everything that waits, which then waits no more. */
  clear(): Item[] {
    const all = this.#waiting
    this.#waiting = []
    return all
  }

  /** What a client had its turn for was more work than its cost said, by so much, or less. */
  correct(client: Client, by: number): void {
    this.#addresses.correct(client.address, by)
    this.#connections.correct(connectionOf(client), by)
  }

  #isTooMuch(): boolean {
    if (this.#waiting.length > MAX_WAITING) return true
    return this.#waiting.length > 1 && sumOf(this.#waiting) > this.#maxCost()
  }

  #lastOfTheGreediest(): Item {
    const byAddress = Map.groupBy(this.#waiting, ({ client }) => client.address)
    const greediest = [...byAddress.values()].reduce((a, b) => (sumOf(b) > sumOf(a) ? b : a))
    return greediest.reduce((a, b) => (this.#dueInAddress(b) >= this.#dueInAddress(a) ? b : a))
  }

  #dueOfAddress({ client, cost }: Item): number {
    return this.#addresses.startOf(client.address) + cost
  }

  #dueInAddress({ client, cost }: Item): number {
    return this.#connections.startOf(connectionOf(client)) + cost
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

function sumOf(items: readonly Waiting[]): number {
  return items.reduce((sum, { cost }) => sum + cost, 0)
}
