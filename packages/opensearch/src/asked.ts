/** Sends searches on one index in batches, and detects failed shards and a replaced index. */
import { StoreFault } from '@worldwright/core/store'
import type { EngineQuery } from './clause-queries.ts'
import { type Cluster, type ClusterAnswer, refused } from './cluster.ts'

/** Body of one OpenSearch search request. */
export type SearchBody = Readonly<Record<string, unknown>>

/** Thrown if no shard of the index responded, possibly because another index has replaced it. */
export class NoShards extends StoreFault {
  constructor() {
    super('search_unreachable', 'No shard of the search index gives an answer. Try again later.')
  }
}

/** Thrown if the query has more clauses than the cluster allows, which is 1,024 by default. */
export class TooManyClauses extends StoreFault {
  constructor() {
    super('search_unreachable', 'The question has more clauses than the search cluster takes.')
  }
}

/** Runs the searches for one query on one index. */
export class Asked {
  /** True if some shards failed or timed out, so that the result is incomplete. */
  isPartial = false
  readonly #cluster: Cluster
  readonly #index: string
  readonly #end: number
  readonly #signal: AbortSignal | undefined

  constructor(cluster: Cluster, index: string, budgetMs: number, signal: AbortSignal | undefined) {
    this.#cluster = cluster
    this.#index = index
    this.#end = performance.now() + budgetMs
    this.#signal = signal
  }

  /**
   * Runs several searches in one request and returns the responses in the order of `bodies`.
   * @throws StoreFault `search_unreachable`, as TooManyClauses, or as NoShards if the cluster responds but no shard does
   */
  async search(bodies: readonly SearchBody[]): Promise<ClusterAnswer['body'][]> {
    if (bodies.length === 0) return []
    const left = Math.max(1, Math.ceil(this.#end - performance.now()))
    const lines = bodies.flatMap((body) => [{ index: this.#index }, { timeout: `${left}ms`, ...body }])
    const { responses } = await this.#cluster.do('_msearch', {
      body: lines,
      signal: this.#signal,
      // Shards check their timeout only occasionally.
      timeoutMs: left + GRACE_MS,
    })
    for (const response of responses) this.#note(response)
    return responses
  }

  /** For each query, returns the number of matching documents. */
  async counts(queries: readonly EngineQuery[]): Promise<number[]> {
    const answers = await this.search(queries.map((query) => ({ size: 0, track_total_hits: true, query })))
    return answers.map(({ hits }) => hits.total.value)
  }

  #note(response: ClusterAnswer['body']): void {
    if (hasTooManyClauses(response.error ?? response._shards?.failures)) throw new TooManyClauses()
    if (response.error) {
      const isMissing = response.error.type === 'index_not_found_exception' || response.status >= 500
      throw isMissing ? new NoShards() : refused('_msearch', response.status, response)
    }
    if (response.timed_out || response._shards.failed > 0) this.isPartial = true
  }
}

/** Reports whether a shard rejected a query for having too many clauses. The failure may nest the reason at any depth. */
function hasTooManyClauses(failures: unknown): boolean {
  return failures !== undefined && /"type":"too_many(?:_nested)?_clauses"/.test(JSON.stringify(failures))
}

const GRACE_MS = 2_000
