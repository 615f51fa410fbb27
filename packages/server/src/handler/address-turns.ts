/** Items of many clients' addresses. Addresses take turns; within one, the first to come is the first to go. */

/** What waits, by the address that it belongs to. */
export class AddressTurns<Item> {
  /** In the order of their turns. No address is here with nothing that waits. */
  readonly #lines = new Map<string, Item[]>()
  #size = 0

  /** How many wait, of all addresses. */
  get size(): number {
    return this.#size
  }

  /** Whether anything of an address waits. */
  has(address: string): boolean {
    return this.#lines.has(address)
  }

  add(address: string, item: Item): void {
    const own = this.#lines.get(address)
    if (own === undefined) this.#lines.set(address, [item])
    else own.push(item)
    this.#size += 1
  }

  /** Whose turn it is; undefined where nothing waits. */
  next(): Item | undefined {
    for (const [first] of this.#lines.values()) return first
    return undefined
  }

  /** Takes out whose turn it is; undefined where nothing waits. The next turn is that of another address. */
  take(): Item | undefined {
    for (const [address, own] of this.#lines) {
      const first = own.shift()
      this.#size -= 1
      this.#lines.delete(address)
      if (own.length > 0) this.#lines.set(address, own)
      return first
    }
    return undefined
  }

  /** Takes out the first ones of each address, up to the first that is not meant. No turn is used up. */
  takeWhile(isMeant: (item: Item) => boolean): Item[] {
    const taken: Item[] = []
    for (const [address, own] of this.#lines) {
      const end = own.findIndex((item) => !isMeant(item))
      taken.push(...own.splice(0, end < 0 ? own.length : end))
      if (own.length === 0) this.#lines.delete(address)
    }
    this.#size -= taken.length
    return taken
  }
}
