/**
 * Freshness lifetime and revalidation of a world's discovery document.
 */
import {
  adopt,
  begin,
  type Conditions,
  type ConnectOptions,
  read,
  readAgain,
  settingsOf,
  type WorldData,
} from './discovery.ts'
import type { Reader } from './reader.ts'
import type { CallOptions } from './request.ts'

/** Caching headers of a document (RFC 9111), and the time at which it was received. */
export interface Received {
  /** Time in milliseconds since 1970. */
  readonly at: number
  readonly age?: string | undefined
  readonly 'cache-control'?: string | undefined
  readonly etag?: string | undefined
  readonly expires?: string | undefined
}

/** World data with the caching headers of its document. `connect` returns it and can restore a stored copy. */
export interface KeptWorld extends WorldData {
  /** Absent if the document's caching headers were not recorded. */
  readonly received?: Received | undefined
}

/** Initialises `into` from a stored world, whose document is revalidated if stale, or from the document of an origin. */
export async function keep<W extends KeptWorld>(
  into: object,
  from: string | URL | KeptWorld,
  options: ConnectOptions & { reader?: Reader },
): Promise<W> {
  const { document, id, origin, received } = Object(from) as Partial<KeptWorld>
  const world = begin(into, document ? `${origin}` : `${from}`, options) as W
  if (document) {
    adopt(world, document, options.expectWorldId ?? id)
    Object.assign(world, { received })
    if (isStale(world, 0)) await revalidate(world, options)
  } else {
    hear(world, await read(world, options, options.expectWorldId))
  }
  return world
}

/**
 * Revalidates the document if it is stale, at most once a minute and within a quarter of the call's timeout. Returns the
 * call's options with the remaining timeout.
 */
export async function whenCurrent(world: KeptWorld, options: CallOptions = {}): Promise<CallOptions> {
  // Minimum interval between revalidations, in milliseconds, even if the document's freshness lifetime is shorter.
  const LEAST_PERIOD = 60_000
  const settings = settingsOf(world)
  if (!isStale(world, LEAST_PERIOD)) return options
  const { signal, timeout = settings.timeout ?? 30_000 } = options
  const begun = Date.now()
  // Marked as fresh first, so that concurrent calls continue with the current document.
  Object.assign(world, { received: { ...world.received, at: begun } })
  await revalidate(world, { signal, timeout: timeout / 4 })
  return { signal, timeout: timeout - (Date.now() - begun) }
}

/**
 * Revalidates a document with `If-None-Match`. If the request fails, the current document remains in use (`stale-if-error`).
 */
async function revalidate(world: KeptWorld, options: CallOptions): Promise<void> {
  const { etag } = world.received ?? {}
  // Browser caches revalidate on their own, and `If-None-Match` would require a CORS preflight there.
  const asks = etag !== undefined && !/^Moz/.test(globalThis.navigator?.userAgent)
  const conditions: Conditions = asks ? { headers: { 'if-none-match': etag } } : {}
  hear(world, await readAgain(world, options, conditions))
}

/** Records caching headers. If there are none (a 304 or a failed request), restarts the previous lifetime. */
function hear(world: KeptWorld, headers: Headers | undefined): void {
  const told = headers
    ? Object.fromEntries(
        ['age', 'cache-control', 'etag', 'expires'].map((name) => [name, headers.get(name) ?? undefined]),
      )
    : { ...world.received, age: undefined }
  Object.assign(world, { received: { ...told, at: Date.now() } })
}

/** Reports whether a document must be revalidated. False without `received`, because a moved API is detected anyway. */
function isStale({ received }: KeptWorld, leastPeriod: number): boolean {
  if (received === undefined) return false
  const control = received['cache-control'] ?? ''
  const seconds = /no-(cache|store)/i.test(control) ? 0 : /\bmax-age="?(\d+)/i.exec(control)?.[1]
  const fresh =
    seconds === undefined
      ? Date.parse(received.expires ?? '') - received.at
      : (Number(seconds) - Number(received.age ?? 0)) * 1000
  return Date.now() >= received.at + Math.max(fresh, leastPeriod)
}
