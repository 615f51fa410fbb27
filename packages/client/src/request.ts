/**
 * A single call: its attempts, the pauses between them, and their shared deadline.
 */
import { within } from './deadline.ts'
import { assertArgument, isWorldError, WorldError } from './error.ts'
import type { Reader } from './reader.ts'
import { type Fetch, follow } from './redirect.ts'
import { errorFrom, jsonFrom } from './response.ts'

/** Options that each call may set for itself. */
export interface CallOptions {
  /** Aborts the call: it rejects with code `aborted`, the signal's reason as `cause`, and is not repeated. */
  signal?: AbortSignal | undefined
  /** Timeout of the whole call, in milliseconds, all attempts and pauses included. */
  timeout?: number | undefined
}

/** Transport, timeouts and retries of requests. */
export interface Limits {
  /** Sends the requests instead of the runtime's `fetch`: a proxy, a handler in the same process. */
  fetch?: Fetch | undefined
  /** Timeout of one call, in milliseconds, all its attempts included. Default 30000. */
  timeout?: number | undefined
  /** Maximum time of an attempt of a safe call without a byte arriving, in milliseconds. Default 10000. */
  attemptTimeout?: number | undefined
  /** Maximum retries of a safe call. Default 2. */
  retries?: number | undefined
}

/** Settings that all calls to one world share. */
export interface Settings extends Limits {
  /** Lower-case names. */
  headers: Record<string, string>
  /** Sent to the API only, if its origin is among `tokenOrigins`. */
  authorization: string | undefined
  tokenOrigins: readonly string[]
  /** Interprets bodies. Absent: they are taken as they are, in our names. */
  reader?: Reader | undefined
}

/** A call, as the client describes it. */
export interface Call<T> {
  /** Returns the URL before every attempt: the API may have moved since the last one. */
  url: () => string
  /** Present: a POST of this text. */
  body?: string | undefined
  /** Repeating the call changes nothing, so it is retried. */
  safe: boolean
  /** Headers that only this call sends. */
  headers?: Record<string, string> | undefined
  /** `no-store`: bypasses every cache. */
  cache?: 'no-store' | undefined
  /** Makes the result from a success's JSON (`undefined`: not JSON), or throws the code of the fault. */
  take: (body: unknown, reader: Reader | undefined, response: Response) => T
  /** Present for calls of the API: the token is sent, and this function asks where the API is now. */
  ask?: (options: CallOptions) => Promise<unknown>
}

/**
 * Sends a call and returns what its `take` makes of the body.
 * Safe calls are retried after failed connections, silent attempts and 408, 429, 502, 503, 504, not before
 * `Retry-After`; a pause that would outlast the call is not begun: the failure is thrown.
 * Throws `WorldError` only.
 */
export async function request<T>(settings: Settings, call: Call<T>, options: CallOptions = {}): Promise<T> {
  const { attemptTimeout = 10_000, retries = 2 } = settings
  const timeout = options.timeout ?? settings.timeout ?? 30_000
  assertArgument(timeout > 0 && attemptTimeout > 0 && retries >= 0, { timeout, attemptTimeout, retries })
  const deadline = Date.now() + timeout
  let { ask, safe } = call
  let url = call.url()
  const work = within(timeout, options.signal, async (signal) => {
    for (let tries = 0; ; tries++) {
      url = call.url()
      try {
        return await within(safe ? attemptTimeout : timeout, signal, attempt(settings, call, url))
      } catch (thrown) {
        const { status, code, retryAfter = 0 } = errorOf(thrown)
        const silent = !status && code !== 'insecure_endpoint'
        if (signal.aborted) throw thrown
        if (ask && (silent || code === 'http_404' || (code === 'api_moved' && status === 410))) {
          // Another call may have found the new address meanwhile.
          if (call.url() === url) await ask({ signal, timeout: attemptTimeout })
          ask = undefined
          if (safe && call.url() !== url) continue
        }
        // Full jitter: a random part of a limit that doubles, so that clients that failed together do not return
        // together.
        const ms = Math.random() * 250 * 2 ** tries + retryAfter * 1000
        if (
          tries >= (safe ? retries : 0) ||
          !(silent || /408|429|50[234]/.test(`${status}`)) ||
          Date.now() + ms >= deadline
        )
          throw thrown
        // An abort ends the pause early, and the next attempt ends before it sends anything.
        await within(ms, signal, () => new Promise(() => {})).catch(() => {})
      }
    }
  })
  return work.catch((thrown) => {
    const error = errorOf(thrown)
    throw error.url ? error : Object.assign(error, { url })
  })
}

function attempt<T>(
  { fetch = globalThis.fetch as Fetch, reader, ...settings }: Settings,
  { ask, body, cache, headers, take }: Call<T>,
  url: string,
) {
  const MAX_DOCUMENT_BYTES = 2 ** 20
  const MAX_BODY_BYTES = 2 ** 24
  const plain = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
  const authorization = ask && settings.authorization
  return async (signal: AbortSignal, alive: () => void): Promise<T> => {
    const init = {
      method: body ? 'POST' : 'GET',
      headers: { ...settings.headers, ...headers, ...plain, ...(authorization && { authorization }) },
      signal,
      body,
      // Not the header Cache-Control: across origins it would need a preflight. The platform adds it by itself.
      cache,
    } as RequestInit
    const response = await follow(fetch, url, init, plain)
    try {
      const json = await jsonFrom(response, ask ? MAX_BODY_BYTES : MAX_DOCUMENT_BYTES, alive)
      if (!response.ok) throw errorFrom(response, reader ? reader.errorBody(json) : json)
      return take(json, reader, response)
    } catch (error) {
      throw isWorldError(error) ? Object.assign(error, { status: response.status }) : error
    }
  }
}

/** Returns a failure as a `WorldError`: any other error came from the connection. */
export function errorOf(thrown: unknown): WorldError {
  return isWorldError(thrown) ? thrown : new WorldError('network_error', undefined, { cause: thrown })
}
