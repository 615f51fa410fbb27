/**
 * A single call: its attempts, the pauses between them, and their common deadline.
 */
import { within } from './deadline.ts'
import { assertArgument, isWorldError, WorldError } from './error.ts'
import type { Reader } from './reader.ts'
import { type Fetch, follow } from './redirect.ts'
import { errorFrom, jsonFrom } from './response.ts'

/** Options for a single call. */
export interface CallOptions {
  /** Aborts the call. It rejects with `aborted`, with the signal's reason as `cause`, and is not retried. */
  signal?: AbortSignal | undefined
  /** Timeout for the whole call, in milliseconds, including all attempts and pauses. */
  timeout?: number | undefined
  /** `Idempotency-Key` for an action that accepts one. Default: a random key for each call, so that it can be retried. */
  idempotencyKey?: string | undefined
}

/** Transport, timeouts and retries of requests. */
export interface Limits {
  /** Replacement for the runtime's `fetch`, such as a proxy or an in-process handler. */
  fetch?: Fetch | undefined
  /** Timeout for one call, in milliseconds, including all its attempts. Default 30000. */
  timeout?: number | undefined
  /** Idle timeout for one attempt of a safe call, in milliseconds: maximum time between bytes. Default 10000. */
  attemptTimeout?: number | undefined
  /** Maximum number of retries of a safe call. Default 2. */
  retries?: number | undefined
  /** Maximum size of a body, in bytes. Default: 1 MiB for discovery documents, 16 MiB for other bodies. */
  maxBytes?: number | undefined
  /** Parser of JSON bodies, such as `parseExact` of `@worldwright/client/exact`. Default: `JSON.parse`. */
  parse?: ((text: string) => unknown) | undefined
}

/** Settings shared by all calls to one world. */
export interface Settings extends Limits {
  /** Headers by lower-case name. */
  headers: Record<string, string>
  /** `Authorization` header. Sent only to the API, and only if its origin is among `tokenOrigins`. */
  authorization: string | undefined
  tokenOrigins: readonly string[]
  /** Reader of response bodies. If absent, bodies are used unchanged, with the names of docs/spec/decisions.md. */
  reader?: Reader | undefined
}

/** Description of a call to send. */
export interface Call<T> {
  /** Returns the URL. Called before every attempt, because the API may have moved since the previous one. */
  url: () => string
  /** Request body: JSON, or a file with a media type of its own. A call with a body is sent as a POST, any other as a GET. */
  body?: string | Blob | undefined
  /** True if the call can be retried: repeating it changes nothing, or the world accepts its `Idempotency-Key`. */
  safe: boolean
  /** Additional headers for this call. */
  headers?: Record<string, string> | undefined
  /** Cache mode. `no-store` bypasses all caches. */
  cache?: 'no-store' | undefined
  /** Converts a successful response's JSON (`undefined` if it has none) to the result. May throw a `WorldError`. */
  take: (body: unknown, reader: Reader | undefined, response: Response) => T | Promise<T>
  /** Looks up the current API address. Present only for API calls, because its presence makes the call send the token. */
  ask?: (options: CallOptions) => Promise<unknown>
}

/**
 * Sends a call and returns the result of its `take`.
 * Safe calls are retried after connection failures, idle timeouts and the statuses 408, 409, 429, 502, 503 and 504, but not
 * before the time given by `Retry-After`. If the pause would outlast the call's timeout, the error is thrown immediately.
 * Throws only `WorldError`.
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
          // A concurrent call may have found the new address already.
          if (call.url() === url) await ask({ signal, timeout: attemptTimeout })
          ask = undefined
          if (safe && call.url() !== url) continue
        }
        // Exponential backoff with full jitter, so that clients that fail together do not retry together.
        const ms = Math.random() * 250 * 2 ** tries + retryAfter * 1000
        if (
          tries >= (safe ? retries : 0) ||
          !(silent || /40[89]|429|50[234]/.test(`${status}`)) ||
          Date.now() + ms >= deadline
        )
          throw thrown
        // An abort ends the pause early. The next attempt then fails before sending anything.
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
  { fetch = globalThis.fetch as Fetch, reader, parse, ...settings }: Settings,
  { ask, body, cache, headers, take }: Call<T>,
  url: string,
) {
  const { maxBytes = 2 ** (ask ? 24 : 20) } = settings
  const plain = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
  const authorization = ask && settings.authorization
  return async (signal: AbortSignal, alive: () => void): Promise<T> => {
    const init = {
      method: body ? 'POST' : 'GET',
      headers: { ...settings.headers, ...headers, ...plain, ...(authorization && { authorization }) },
      signal,
      body,
      // Sets no Cache-Control header, which would require a CORS preflight: the platform adds one for this option.
      cache,
    } as RequestInit
    const response = await follow(fetch, url, init, plain)
    try {
      const json = await jsonFrom(response, maxBytes, alive, parse)
      if (!response.ok) throw errorFrom(response, reader ? reader.errorBody(json) : json)
      return await take(json, reader, response)
    } catch (error) {
      throw isWorldError(error) ? Object.assign(error, { status: response.status }) : error
    }
  }
}

/** Returns a thrown `WorldError` unchanged. Anything else is a connection failure and becomes a `network_error`. */
export function errorOf(thrown: unknown): WorldError {
  return isWorldError(thrown) ? thrown : new WorldError('network_error', undefined, { cause: thrown })
}
