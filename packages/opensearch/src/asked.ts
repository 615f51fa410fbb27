/** Searches of one index: several per request, with partial shard failures and an index that is replaced meanwhile. */
import { StorageFault } from '@worldwright/core/store'
import type { EngineQuery } from './clause-queries.ts'
import { type Cluster, type ClusterAnswer, refused } from './cluster.ts'

/** One search, in the query language of OpenSearch. */
export type SearchBody = Readonly<Record<string, unknown>>

/** No shard of the index answered: another index may have taken its place. */
export class NoShards extends StorageFault {
  constructor() {
    super('search_unreachable', 'No shard of the search index gives an answer. Try again later.')
  }
}

/** The query has more clauses than the cluster allows, which is 1,024 by default. */
export class TooManyClauses extends StorageFault {
  constructor() {
    super('search_unreachable', 'The question has more clauses than the search cluster takes.')
  }
}

/** The searches of one query, on one index. */
export class Asked {
  /** Some shards failed or timed out: the result is incomplete. */
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
   * Returns the responses to several searches, in order.
   * @throws StorageFault `search_unreachable`: as TooManyClauses, or as NoShards if only the cluster itself answers
   */
  async search(bodies: readonly SearchBody[]): Promise<ClusterAnswer['body'][]> {
    if (bodies.length === 0) return []
    const left = Math.max(1, Math.ceil(this.#end - performance.now()))
    const lines = bodies.flatMap((body) => [{ index: this.#index }, { timeout: `${left}ms`, ...body }])
    const { responses } = await this.#cluster.do('_msearch', {
      body: lines,
      signal: this.#signal,
      // Shards check their time limit only now and then.
      timeoutMs: left + GRACE_MS,
    })
    for (const response of responses) this.#note(response)
    return responses
  }

  /** Returns the number of documents that each query finds. */
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

/** Each shard counts clauses itself, and reports the excess somewhere in its reasons. */
function hasTooManyClauses(failures: unknown): boolean {
  return failures !== undefined && /"type":"too_many(?:_nested)?_clauses"/.test(JSON.stringify(failures))
}

const GRACE_MS = 2_000
