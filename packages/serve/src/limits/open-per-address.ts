import { limitedAddress } from './limited-address.ts'

/** Per-address limit on open connections or event streams. Exempt addresses have no limit. */
export class OpenPerAddress {
  readonly #limit: number
  readonly #isExempt: (address: string) => boolean
  readonly #open = new Map<string, number>()

  constructor(limit: number, isExempt: (address: string) => boolean) {
    this.#limit = limit
    this.#isExempt = isExempt
  }

  /** Counts a connection or stream. Returns its release function, or undefined if the address is at its limit. */
  enter(address: string): (() => void) | undefined {
    if (this.#isExempt(address)) return () => {}
    const key = limitedAddress(address)
    const open = this.#open.get(key) ?? 0
    if (open >= this.#limit) return undefined
    this.#open.set(key, open + 1)
    return () => {
      const left = (this.#open.get(key) ?? 1) - 1
      if (left === 0) this.#open.delete(key)
      else this.#open.set(key, left)
    }
  }
}
