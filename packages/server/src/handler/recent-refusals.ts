/**
 * Clients that were asked a moment ago to come back later. One that asks for as much before that is refused at once: asking
 * where searches wait would cost more than many refusals, and the answer would be the same.
 */
import type { WorldRequest } from './http.ts'

/** The least that `Retry-After` says. */
const WAIT_MS = 1_000
/** The most that are remembered, the newest ones. */
const MAX_REMEMBERED = 10_000

interface Refusal {
  readonly until: number
  /** Of the body that was refused: a longer one asks for more. */
  readonly bytes: number
}

/** Remembers refused searches by client: its address and its connection. */
export class RecentRefusals {
  readonly #now: () => number
  /** Oldest first. */
  readonly #refusals = new Map<string, Refusal>()

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Remembers that a request was refused, where its client is known. */
  note({ client, headers }: Pick<WorldRequest, 'client' | 'headers'>): void {
    const name = nameOf(client)
    if (name === undefined) return
    this.#refusals.delete(name)
    this.#refusals.set(name, { until: this.#now() + WAIT_MS, bytes: bytesOf(headers) })
    this.#forget()
  }

  /** Whether there is nobody to refuse. */
  isEmpty(): boolean {
    if (this.#refusals.size > 0) this.#forget()
    return this.#refusals.size === 0
  }

  /** Forgets those whose time is over, and the oldest of too many. */
  #forget(): void {
    const now = this.#now()
    for (const [name, { until }] of this.#refusals) {
      if (until > now && this.#refusals.size <= MAX_REMEMBERED) break
      this.#refusals.delete(name)
    }
  }

  /** Whether a request comes before its time, and asks for no less than the one before. */
  isTooEarly({ client, headers }: Pick<WorldRequest, 'client' | 'headers'>): boolean {
    const name = nameOf(client)
    const refusal = name === undefined ? undefined : this.#refusals.get(name)
    if (refusal === undefined) return false
    return this.#now() < refusal.until && bytesOf(headers) >= refusal.bytes
  }
}

/** Behind a proxy that is trusted, clients that share a connection differ by their addresses. */
function nameOf(client: WorldRequest['client']): string | undefined {
  return client && `${client.address} ${client.connection}`
}

function bytesOf(headers: WorldRequest['headers']): number {
  return Number(headers['content-length'] ?? 0) || 0
}
