/**
 * Faults that can be injected into a memory world.
 */
import { EVENT_STREAM } from '../live-events.ts'
import { failure, type MemoryRequest } from './failure.ts'

/** A fault in the response to the next request, or to the next request of kind `on`. */
export type Fault = { on?: 'discovery' | 'get' | 'list' | 'action' | 'changes' | 'write' } & (
  | { kind: 'rate_limited' | 'unavailable'; retryAfter?: number }
  /** Responds after `ms` milliseconds, or never if `ms` is absent. */
  | { kind: 'slow'; ms?: number }
  /** A success response whose JSON body is truncated in the middle. Never applies to event streams. */
  | { kind: 'bad_json' }
  /** A list page with a cursor that the world does not accept. Applies to lists only. */
  | { kind: 'broken_cursor' }
  /** A list page whose cursor leads back to the start. Two such faults make a loop. Applies to lists only. */
  | { kind: 'cursor_loop' }
  /** A failed connection. */
  | { kind: 'network' }
  /** A protocol error. */
  | { kind: 'error'; status: number; code: string; details?: Record<string, unknown> }
)

/** Reports whether a fault applies to a request. */
export function matches({ kind, on }: Fault, request: MemoryRequest): boolean {
  if (kind === 'bad_json' && request.headers['accept'] === EVENT_STREAM) return false
  const wanted = kind === 'broken_cursor' || kind === 'cursor_loop' ? 'list' : on
  return wanted === undefined || wanted === operationOf(request)
}

/** Returns the response with the fault applied. Rejects if the fault is a failed connection. */
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

function operationOf({ url, method }: MemoryRequest): string {
  const path = new URL(url).pathname
  if (path.startsWith('/.well-known/')) return 'discovery'
  if (/\/actions\/[^/]+$/.test(path)) return 'action'
  if (path.endsWith('/changes')) return 'changes'
  if (method !== 'GET') return 'write'
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
