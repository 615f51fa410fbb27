/**
 * Faults that a memory world can be made to have.
 */
import { failure, type MemoryRequest } from './memory-answers.ts'

/** A fault. `on` narrows it to some requests; without it, it applies to the next request. */
export type Fault = { on?: 'discovery' | 'get' | 'list' | 'action' } & (
  | { kind: 'rate_limited' | 'unavailable'; retryAfter?: number }
  /** Answers after `ms` milliseconds, or never. */
  | { kind: 'slow'; ms?: number }
  /** A success whose body is truncated in the middle of its JSON. */
  | { kind: 'bad_json' }
  /** A list whose cursor the world does not accept. Fits lists only. */
  | { kind: 'broken_cursor' }
  /** A list whose cursor leads back to the start: ordered twice, it comes twice. Fits lists only. */
  | { kind: 'cursor_loop' }
  /** No connection to the world. */
  | { kind: 'network' }
  /** Any error of the protocol. */
  | { kind: 'error'; status: number; code: string; details?: Record<string, unknown> }
)

/** Reports whether a fault applies to a request. */
export function matches({ kind, on }: Fault, { url }: MemoryRequest): boolean {
  const wanted = kind === 'broken_cursor' || kind === 'cursor_loop' ? 'list' : on
  return wanted === undefined || wanted === operationOf(url)
}

/** Returns the answer as the fault leaves it. */
export async function damaged(
  fault: Fault,
  answer: () => Response,
  signal: AbortSignal | undefined,
): Promise<Response> {
  switch (fault.kind) {
    case 'rate_limited':
      return failure(429, 'rate_limited', {}, fault.retryAfter)
    case 'unavailable':
      return failure(503, 'unavailable', {}, fault.retryAfter)
    case 'error':
      return failure(fault.status, fault.code, fault.details)
    case 'network':
      throw new TypeError('no connection')
    case 'slow':
      await passed(fault.ms, signal)
      return answer()
    case 'bad_json': {
      const text = await answer().text()
      return new Response(text.slice(0, text.length / 2), { headers: { 'content-type': 'application/json' } })
    }
    case 'broken_cursor':
      return withCursor(answer(), 'broken')
    case 'cursor_loop':
      return withCursor(answer(), 'after-')
  }
}

function operationOf(url: string): string {
  const path = new URL(url).pathname
  if (path.startsWith('/.well-known/')) return 'discovery'
  if (/\/actions\/[^/]+$/.test(path)) return 'action'
  return /\/entities\/[^/]+$/.test(path) ? 'list' : 'get'
}

async function withCursor(response: Response, nextCursor: string): Promise<Response> {
  return Response.json({ ...((await response.json()) as object), nextCursor }, { status: response.status })
}

function passed(ms: number | undefined, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (ms !== undefined) setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
}
