/** Requests to a memory world, and their failures. */
import { WorldError } from '../error.ts'

/** A request as sent by the program under test. */
export interface MemoryRequest {
  readonly url: string
  readonly method: string
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Returns an error response with a protocol error body. */
export function failure(
  status: number,
  code: string,
  details: Record<string, unknown> = {},
  retryAfter?: number,
): Response {
  const headers = retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }
  return Response.json({ code, message: `${code}.`, details, requestId: 'memory' }, { status, headers })
}

/** Throws `unsupported_by_memory_world` for a part of a request that a memory world cannot evaluate as a server does. */
export function unsupported(what: string, value: unknown): never {
  const message = `memoryWorld does not evaluate ${what} ${JSON.stringify(value)}. Answer it in the test instead.`
  throw new WorldError('unsupported_by_memory_world', message, { status: 501 })
}
