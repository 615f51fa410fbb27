/**
 * The lease that decides which of several nodes feeds an index: its holder keeps renewing a document beside the index. No
 * clocks are compared: a node takes the lease after seeing the document unchanged for long enough, by its own clock.
 */
import { randomUUID } from 'node:crypto'
import { type Cluster, refused } from './cluster.ts'

/** Renewal interval of a holder, in milliseconds. */
const RENEW_MS = 4_000
/** Maximum milliseconds since the last renewal during which a holder may begin work. */
const HELD_MS = 12_000
/** Milliseconds without a change after which a lease is free: by then a stalled holder has ended what it had begun. */
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

  /** `freeMs`: time after which a lease that is not renewed is free, in milliseconds. */
  constructor(cluster: Cluster, freeMs = FREE_MS) {
    this.#cluster = cluster
    this.#path = `${cluster.address.index}-lease`
    this.#freeMs = freeMs
  }

  /** Takes the lease if it is free, or renews it. Returns whether this node may feed for the next seconds. */
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

  /** True if work that begins now ends before another node can feed. */
  get isHeld(): boolean {
    return this.#seen?.holder === this.#name && performance.now() - this.#seen.at < HELD_MS
  }

  /** Releases the lease, so that the next node need not wait. */
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
