/**
 * Clients that were asked a moment ago to come back later. One that asks for as much before that is refused at once: asking
 * where searches wait would cost more than many refusals, and the answer would be the same.
 */
import type { WorldRequest } from './http.ts'

/** Where nobody was refused for so long, in milliseconds, there may be room again for everybody. */
const OVER_MS = 1_000
/** The most that are remembered, the newest ones. */
const MAX_REMEMBERED = 10_000

interface Refusal {
  /** When it was asked to come again. */
  until: number
  /** Of the body that was refused: a longer one asks for more. */
  readonly bytes: number
}

/**
 * Remembers refused searches by client, its address and its connection, as long as searches are refused. Those that are too
 * early do not count as refused.
 */
export class RecentRefusals {
  readonly #now: () => number
  /** Oldest first. */
  readonly #refusals = new Map<string, Refusal>()
  #last = Number.NEGATIVE_INFINITY

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Remembers that a request was refused, where its client is known, and in how many milliseconds it was asked to come again. */
  note({ client, headers }: Pick<WorldRequest, 'client' | 'headers'>, waitMs: number): void {
    this.#last = this.#now()
    const name = nameOf(client)
    if (name === undefined) return
    this.#refusals.delete(name)
    this.#refusals.set(name, { until: this.#last + waitMs, bytes: bytesOf(headers) })
    if (this.#refusals.size <= MAX_REMEMBERED) return
    const [oldest = ''] = this.#refusals.keys()
    this.#refusals.delete(oldest)
  }

  /** A client that was too early was asked to come again in so many milliseconds, counted from now. */
  postpone({ client }: Pick<WorldRequest, 'client'>, waitMs: number): void {
    const refusal = this.#refusals.get(nameOf(client) ?? '')
    if (refusal) refusal.until = this.#now() + waitMs
  }

  /** Whether there is nobody to refuse. */
  isEmpty(): boolean {
    if (this.#now() - this.#last >= OVER_MS) this.#refusals.clear()
    return this.#refusals.size === 0
  }

  /** Whether a request comes before its time, and asks for no less than the one before. */
  isTooEarly({ client, headers }: Pick<WorldRequest, 'client' | 'headers'>): boolean {
    const name = nameOf(client)
    const refusal = this.isEmpty() || name === undefined ? undefined : this.#refusals.get(name)
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
