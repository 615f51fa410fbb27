/**
 * Which of several nodes feeds an index: the one that holds a document beside it, and renews it all the time. Nobody compares
 * clocks: a node that has seen the document unchanged for long enough, by its own clock, takes it.
 */
import { randomUUID } from 'node:crypto'
import { type Cluster, refused } from './cluster.ts'

/** A holder renews so often, in milliseconds. */
const RENEW_MS = 4_000
/** Without having renewed for so long, a holder begins nothing. */
const HELD_MS = 12_000
/** Unchanged for so long, a lease is free: a holder that stood still has ended what it had begun. */
const FREE_MS = 45_000

/** A document as it was when it was read or written. */
interface Seen {
  readonly sequence: number
  readonly term: number
  readonly holder: string
  readonly at: number
}

/** The lease of an index, as one node sees it. */
export class Lease {
  readonly #cluster: Cluster
  readonly #path: string
  readonly #freeMs: number
  readonly #name = randomUUID()
  #seen: Seen | undefined

  /** `freeMs`: how long one that is not renewed is left to its holder. */
  constructor(cluster: Cluster, freeMs = FREE_MS) {
    this.#cluster = cluster
    this.#path = `${cluster.address.index}-lease`
    this.#freeMs = freeMs
  }

  /** Takes the lease where it is free, or renews it. Whether this node may feed for the next seconds. */
  async hold(): Promise<boolean> {
    const now = performance.now()
    const seen = this.#seen
    if (seen?.holder === this.#name) {
      if (now - seen.at < RENEW_MS) return true
      return this.#write(`if_seq_no=${seen.sequence}&if_primary_term=${seen.term}`)
    }
    const { status, body } = await this.#cluster.ask(`${this.#path}/_doc/lease`)
    if (status === 404) return this.#write('op_type=create')
    if (status !== 200) throw refused(this.#path, status, body)
    const { _seq_no: sequence, _primary_term: term, _source } = body
    if (seen?.sequence !== sequence || seen?.term !== term) {
      this.#seen = { sequence, term, holder: _source.holder, at: now }
      if (_source.holder !== '') return false
    } else if (seen && now - seen.at < this.#freeMs && seen.holder !== '') return false
    return this.#write(`if_seq_no=${sequence}&if_primary_term=${term}`)
  }

  /** Whether what is begun now ends before anybody else feeds. */
  get isHeld(): boolean {
    return this.#seen?.holder === this.#name && performance.now() - this.#seen.at < HELD_MS
  }

  /** Gives it back, so that the next one need not wait. */
  async release(): Promise<void> {
    const seen = this.#seen
    this.#seen = undefined
    if (seen?.holder !== this.#name) return
    const condition = `if_seq_no=${seen.sequence}&if_primary_term=${seen.term}`
    await this.#cluster.ask(`${this.#path}/_doc/lease?${condition}`, { method: 'PUT', body: { holder: '' } })
  }

  async #write(condition: string): Promise<boolean> {
    const at = performance.now()
    const { status, body } = await this.#cluster.ask(`${this.#path}/_doc/lease?${condition}`, {
      method: 'PUT',
      body: { holder: this.#name },
    })
    if (status >= 300 && status !== 409) throw refused(this.#path, status, body)
    this.#seen =
      status === 409
        ? undefined
        : { sequence: body._seq_no, term: body._primary_term, holder: this.#name, at }
    return status !== 409
  }
}
