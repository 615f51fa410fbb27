/**
 * One call: attempts, the pauses between them, and the time they share.
 */
import { pause, within } from './deadline.ts'
import { isWorldError, need, WorldError } from './error.ts'
import { type Fetch, follow } from './redirect.ts'
import { jsonFrom } from './response.ts'

/** What one call may set for itself. */
export interface CallOptions {
  /** Aborts the call: it rejects with code `aborted`, the signal's reason as `cause`, and is not repeated. */
  signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, all attempts and pauses included. */
  timeout?: number | undefined
}

/** What all calls to one world share. */
export interface Settings {
  /** Absent: the runtime's own. */
  fetch: Fetch | undefined
  headers: Headers
  token: string | undefined
  timeout: number
  attemptTimeout: number
  retries: number
}

/** One call as the client means it. */
export interface Call<T> {
  /** Asked before every attempt: the API may have moved since the last one. */
  url: () => string
  /** Present: a POST of this text. */
  body?: string | undefined
  /** Repeating it changes nothing: it is retried. */
  safe: boolean
  maxBytes: number
  /** Past every cache. */
  fresh?: boolean
  /** Makes the answer out of a success's JSON (`undefined`: it was none), or throws the code that says what it lacks. */
  take: (body: unknown) => T
  /** Goes to the API: the token goes along, and `moved` tells whether the API has left a URL that failed. */
  moved?: (url: string, signal: AbortSignal) => Promise<boolean>
}

// Full jitter: a random part of a bound that doubles, so that clients which failed together do not return together.
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 5000
const PASSING = [408, 429, 502, 503, 504]

/**
 * Sends a call and answers with what its `take` makes of the body.
 * Failed connections, silent attempts and 408, 429, 502, 503, 504 are tried again for safe calls, not before
 * `Retry-After`; a pause that would outlast the call is not begun: the failure stands.
 * Throws `WorldError` only.
 */
export async function request<T>(settings: Settings, call: Call<T>, options: CallOptions = {}): Promise<T> {
  const timeout = milliseconds(options.timeout ?? settings.timeout)
  const work = within(timeout, options.signal, (signal) => attempts(settings, call, timeout, signal))
  return work.catch((error) => {
    throw located(error, call.url())
  })
}

/** A time option, or `invalid_argument`: more than 0 milliseconds, `Infinity` for no limit. */
export function milliseconds(value: number): number {
  need(value > 0, 'A timeout is a number of milliseconds above 0.')
  return value
}

async function attempts<T>(
  settings: Settings,
  call: Call<T>,
  timeout: number,
  signal: AbortSignal,
): Promise<T> {
  const deadline = Date.now() + timeout
  const { safe } = call
  let { moved } = call
  let retries = safe ? settings.retries : 0
  for (let bound = FIRST_PAUSE; ; ) {
    const url = call.url()
    try {
      return await within(safe ? settings.attemptTimeout : timeout, signal, attempt(settings, call, url))
    } catch (thrown) {
      const error = located(thrown, url)
      if (signal.aborted) throw error
      if (moved && mayHaveMoved(error)) {
        const repeat = (await moved(url, signal).catch(onlyAnswers)) && safe
        moved = undefined
        if (repeat) continue
      }
      const ms = Math.random() * bound + (error.retryAfter ?? 0) * 1000
      const passing = !error.status || PASSING.includes(error.status)
      if (!passing || retries-- <= 0 || Date.now() + ms >= deadline) throw error
      // An abort ends it early, and the next attempt before it sends anything.
      await pause(ms, signal)
      bound = Math.min(bound * 2, LONGEST_PAUSE)
    }
  }
}

function attempt<T>(
  { fetch = globalThis.fetch as Fetch, ...settings }: Settings,
  call: Call<T>,
  url: string,
) {
  const { body, fresh, maxBytes, moved, take } = call
  const headers = new Headers(settings.headers)
  headers.set('accept', 'application/json')
  if (body) headers.set('content-type', 'application/json')
  if (moved && settings.token) headers.set('authorization', `Bearer ${settings.token}`)
  return async (signal: AbortSignal, alive: () => void): Promise<T> => {
    const init = { method: body ? 'POST' : 'GET', headers, signal, body: body ?? null }
    // Not the header Cache-Control: across origins it would need a preflight. The platform adds it by itself.
    const response = await follow(fetch, url, fresh ? { ...init, cache: 'no-store' } : init)
    alive()
    try {
      return take(await jsonFrom(response, maxBytes, alive))
    } catch (error) {
      throw isWorldError(error) ? Object.assign(error, { status: response.status }) : error
    }
  }
}

/** The error a caller sees: a `WorldError` that names the URL requested. */
function located(thrown: unknown, url: string): WorldError {
  const error = isWorldError(thrown)
    ? thrown
    : new WorldError('network_error', 'No complete answer came.', { cause: thrown })
  return error.url ? error : Object.assign(error, { url })
}

function mayHaveMoved({ status, code }: WorldError): boolean {
  return !status || (status === 410 && code === 'api_moved') || (status === 404 && code === 'http_404')
}

/** A discovery document that cannot be had tells nothing; one that came and is wrong is the news. */
function onlyAnswers(error: WorldError): false {
  if (error.status >= 200 && error.status < 300) throw error
  return false
}
