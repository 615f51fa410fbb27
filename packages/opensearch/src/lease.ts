/**
 * Implements the lease that decides which of several nodes feeds an index. Its holder keeps renewing a document beside the
 * index. Clocks are not compared: a node takes the lease once it has seen the document unchanged for long enough.
 */
import { randomUUID } from 'node:crypto'
import type { ReplicaState } from '@worldwright/core/store'
import { type Cluster, refused } from './cluster.ts'

/** Interval at which the holder renews the lease, in milliseconds. */
const RENEW_MS = 4_000
/** Time after its last renewal during which the holder may begin work, in milliseconds. */
const HELD_MS = 12_000
/** Time without a renewal after which the lease is free, in milliseconds. A stalled holder's requests have ended by then. */
const FREE_MS = 45_000
/** Response timeout of a cluster node for the lease, in milliseconds. */
const ANSWER_MS = 5_000

/** Lease document as last read or written. */
interface Seen {
  readonly sequence: number
  readonly term: number
  readonly holder: string
  readonly at: number
}

/** One node's view of the lease of an index. */
export class Lease {
  readonly #cluster: Cluster
  readonly #path: string
  readonly #freeMs: number
  readonly #name = randomUUID()
  #seen: Seen | undefined
  /** State of the index as another holder reported it; undefined if unknown. */
  reported: ReplicaState | undefined

  /** Creates the node's view. `freeMs` is the time without a renewal after which the lease is free, in milliseconds. */
  constructor(cluster: Cluster, freeMs = FREE_MS) {
    this.#cluster = cluster
    this.#path = `${cluster.address.index}-lease`
    this.#freeMs = freeMs
  }

  /** Takes the lease if it is free, or renews it if due, with a report. Returns true if this node holds the lease. */
  async hold(state: ReplicaState = { currentAt: 0 }): Promise<boolean> {
    const now = performance.now()
    const seen = this.#seen
    if (seen?.holder === this.#name) {
      if (now - seen.at < RENEW_MS) return true
      return this.#write(`if_seq_no=${seen.sequence}&if_primary_term=${seen.term}`, state)
    }
    const { status, body } = await this.#cluster.ask(`${this.#path}/_doc/lease`, { timeoutMs: ANSWER_MS })
    if (status === 404) return this.#write('op_type=create', state)
    if (status !== 200) throw refused(this.#path, status, body)
    const { _seq_no: sequence, _primary_term: term, _source } = body
    if (seen?.sequence !== sequence || seen?.term !== term) {
      this.#seen = { sequence, term, holder: _source.holder, at: now }
      this.reported = stateFrom(_source)
      if (_source.holder !== '') return false
    } else if (seen && now - seen.at < this.#freeMs && seen.holder !== '') return false
    return this.#write(`if_seq_no=${sequence}&if_primary_term=${term}`, state)
  }

  /** True if work that begins now will end before another node can take the lease. */
  get isHeld(): boolean {
    return this.#seen?.holder === this.#name && performance.now() - this.#seen.at < HELD_MS
  }

  /** Releases the lease, so that the next node can take it immediately. */
  async release(): Promise<void> {
    const seen = this.#seen
    this.#seen = undefined
    if (seen?.holder !== this.#name) return
    const condition = `if_seq_no=${seen.sequence}&if_primary_term=${seen.term}`
    await this.#cluster.ask(`${this.#path}/_doc/lease?${condition}`, { method: 'PUT', body: { holder: '' } })
  }

  async #write(condition: string, { currentAt, lost }: ReplicaState): Promise<boolean> {
    const at = performance.now()
    const { status, body } = await this.#cluster.ask(`${this.#path}/_doc/lease?${condition}`, {
      method: 'PUT',
      // The lag instead of the time, because clocks are not compared.
      body: { holder: this.#name, lost, ...(currentAt > 0 && { lagMs: Date.now() - currentAt }) },
      timeoutMs: ANSWER_MS,
    })
    if (status >= 300 && status !== 409) throw refused(this.#path, status, body)
    this.#seen =
      status === 409
        ? undefined
        : { sequence: body._seq_no, term: body._primary_term, holder: this.#name, at }
    return status !== 409
  }
}

/** Returns the state that the holder reported, which may be some seconds old. */
function stateFrom({ lagMs, lost }: { readonly lagMs?: number; readonly lost?: string }): ReplicaState {
  return { currentAt: lagMs === undefined ? 0 : Date.now() - lagMs, ...(lost !== undefined && { lost }) }
}
