/** Requests to a cluster of OpenSearch over HTTP, to whichever node answers. */
import { StorageFault } from '@worldwright/core/store'
import type { OpenSearchAddress } from './address.ts'

/** Default timeout of one node's answer, in milliseconds. */
const ANSWER_MS = 20_000
/** Time that a node without an answer is tried last, in milliseconds. */
const AVOIDED_MS = 5_000
/** Statuses of a temporarily unavailable node; another node may answer. */
const PASSING = new Set([429, 502, 503, 504])

/** Answer of a cluster: a status below 500, and its JSON. */
export interface ClusterAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the answers are as many shapes as there are questions.
  readonly body: any
}

/** Options of a request to a cluster. */
export interface AskOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined
  /** Sent as JSON; an array is sent as lines. */
  readonly body?: object | readonly object[] | undefined
  readonly signal?: AbortSignal | undefined
  /** Timeout per node, in milliseconds. */
  readonly timeoutMs?: number | undefined
}

/** The nodes of a cluster. */
export class Cluster {
  readonly address: OpenSearchAddress
  /** The time until which each node is tried last. */
  readonly #avoided = new Map<string, number>()
  #turn = 0

  constructor(address: OpenSearchAddress) {
    this.address = address
  }

  /**
   * Asks one node after the other until one answers. The request must be idempotent.
   * @throws StorageFault `search_unreachable` if none does; the signal's reason if it is aborted
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
    throw new StorageFault(
      'search_unreachable',
      `The search cluster gives no answer (${failures.join('; ')}). Searches fail until it does; all else goes on.`,
    )
  }

  /** Like `ask`, but requires success. @throws StorageFault `search_unreachable` also for any answer other than 2xx */
  async do(path: string, options: AskOptions = {}): Promise<ClusterAnswer['body']> {
    const { status, body } = await this.ask(path, options)
    if (status < 300) return body
    throw refused(path, status, body)
  }

  /** Returns the nodes in rotation, those that failed recently last. */
  #ordered(): string[] {
    const { nodes } = this.address
    const first = this.#turn++ % nodes.length
    const turned = [...nodes.slice(first), ...nodes.slice(0, first)]
    const now = performance.now()
    const isAvoided = (node: string) => (this.#avoided.get(node) ?? 0) > now
    return [...turned.filter((node) => !isAvoided(node)), ...turned.filter(isAvoided)]
  }

  /** Returns undefined if another node should be tried. */
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

/** A search whose shards all failed is a 503 as well, but no other node has those shards. */
function hasShardFailures(text: string): boolean {
  return text.includes('search_phase_execution_exception')
}

/** Returns the fault for a request that the cluster understood and refused. */
export function refused(path: string, status: number, body: ClusterAnswer['body']): StorageFault {
  const reason = body?.error?.root_cause?.[0]?.reason ?? body?.error?.reason ?? body?.error ?? ''
  return new StorageFault(
    'search_unreachable',
    `The search cluster answered ${path} with ${status}: ${reason}`,
  )
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
