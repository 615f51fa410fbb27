/** How many connections one address may have open. */
import type { Socket } from 'node:net'
import { plainAddress } from '@worldwright/server'
import { limitedAddress } from './limited-address.ts'

/** Counts open connections by address. Proxies that are trusted may have any number. */
export class ConnectionLimit {
  readonly #limit: number
  readonly #isExempt: (address: string) => boolean
  readonly #open = new Map<string, number>()

  constructor(limit: number, isExempt: (address: string) => boolean) {
    this.#limit = limit
    this.#isExempt = isExempt
  }

  /** Whether a new connection may stay. It is counted until it is closed. */
  admit(connection: Pick<Socket, 'remoteAddress' | 'once'>): boolean {
    const address = plainAddress(connection.remoteAddress ?? '')
    if (this.#isExempt(address)) return true
    const key = limitedAddress(address)
    const open = this.#open.get(key) ?? 0
    if (open >= this.#limit) return false
    this.#open.set(key, open + 1)
    connection.once('close', () => {
      const left = (this.#open.get(key) ?? 1) - 1
      if (left === 0) this.#open.delete(key)
      else this.#open.set(key, left)
    })
    return true
  }
}
