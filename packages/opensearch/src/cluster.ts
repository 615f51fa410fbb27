/** Sends HTTP requests to an OpenSearch cluster, failing over between its nodes. */
import { StoreFault } from '@worldwright/core/store'
import type { OpenSearchAddress } from './address.ts'

/** Default response timeout per node, in milliseconds. */
const ANSWER_MS = 20_000
/** Time for which a node that did not respond is tried last, in milliseconds. */
const AVOIDED_MS = 5_000
/** HTTP statuses of a temporarily unavailable node, after which another node is tried. */
const PASSING = new Set([429, 502, 503, 504])

/** Response of a cluster, with its parsed JSON body. */
export interface ClusterAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the answers are as many shapes as there are questions.
  readonly body: any
}

/** Options for a request to a cluster. */
export interface AskOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined
  /** Request body, sent as JSON, or as newline-delimited JSON if it is an array. */
  readonly body?: object | readonly object[] | undefined
  readonly signal?: AbortSignal | undefined
  /** Timeout per node, in milliseconds. */
  readonly timeoutMs?: number | undefined
}

/** Client of an OpenSearch cluster with one or more nodes. */
export class Cluster {
  readonly address: OpenSearchAddress
  /** For each avoided node, the time until which it is tried last. */
  readonly #avoided = new Map<string, number>()
  #turn = 0

  constructor(address: OpenSearchAddress) {
    this.address = address
  }

  /**
   * Sends a request to one node after another until one responds. The request must be idempotent.
   * @throws StoreFault `search_unreachable` if no node responds; the signal's reason if it is aborted
   */
  async ask(path: string, options: AskOptions = {}): Promise<ClusterAnswer> {
    const failures: string[] = []
    for (const node of this.#ordered()) {
      options.signal?.throwIfAborted()
      try {
        const answer = await this.#askNode(node, path, options)
        if (answer) return answer
        failures.push(`${node} has too much to do, or no manager`)
      } catch (error) {
        options.signal?.throwIfAborted()
        failures.push(`${node}: ${reasonOf(error)}`)
        this.#avoided.set(node, performance.now() + AVOIDED_MS)
      }
    }
    throw new StoreFault(
      'search_unreachable',
      `The search cluster gives no answer (${failures.sort().join('; ')}). Searches fail until it does; all else goes on.`,
    )
  }

  /** Like `ask`, but requires success. @throws StoreFault `search_unreachable` also for any response other than 2xx */
  async do(path: string, options: AskOptions = {}): Promise<ClusterAnswer['body']> {
    const { status, body } = await this.ask(path, options)
    if (status < 300) return body
    throw refused(path, status, body)
  }

  /** Returns the nodes in rotation, with recently failed nodes last. */
  #ordered(): string[] {
    const { nodes } = this.address
    const first = this.#turn++ % nodes.length
    const turned = [...nodes.slice(first), ...nodes.slice(0, first)]
    const now = performance.now()
    const isAvoided = (node: string) => (this.#avoided.get(node) ?? 0) > now
    return [...turned.filter((node) => !isAvoided(node)), ...turned.filter(isAvoided)]
  }

  /** Sends a request to one node. Returns undefined if another node should be tried. */
  async #askNode(
    node: string,
    path: string,
    { method, body, signal, timeoutMs = ANSWER_MS }: AskOptions,
  ): Promise<ClusterAnswer | undefined> {
    const { authorization } = this.address
    const timeout = AbortSignal.timeout(timeoutMs)
    const lines = Array.isArray(body)
    const response = await fetch(`${node}/${path}`, {
      method: method ?? (body ? 'POST' : 'GET'),
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(body && { 'content-type': lines ? 'application/x-ndjson' : 'application/json' }),
      },
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body && {
        body: lines ? body.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(body),
      }),
    })
    const text = await response.text()
    if (PASSING.has(response.status) && !hasShardFailures(text)) return undefined
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
  }
}

/** Detects a search whose shards all failed. That is a 503 too, but retrying on another node would not help. */
function hasShardFailures(text: string): boolean {
  return text.includes('search_phase_execution_exception')
}

/** Returns the fault for a request that the cluster rejected. */
export function refused(path: string, status: number, body: ClusterAnswer['body']): StoreFault {
  const reason = body?.error?.root_cause?.[0]?.reason ?? body?.error?.reason ?? body?.error ?? ''
  return new StoreFault('search_unreachable', `The search cluster answered ${path} with ${status}: ${reason}`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
