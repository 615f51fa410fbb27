/**
 * Freshness of a world: how long its discovery document may be used without a request, and its revalidation.
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

// Minimum period between revalidations of a world in use, in milliseconds, however short its document may be kept.
const LEAST_PERIOD = 60_000
const KEPT_HEADERS = ['age', 'cache-control', 'etag', 'expires'] as const

/** Time at which a document was received, and its caching headers (RFC 9111). */
export interface Received {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly age?: string | undefined
  readonly 'cache-control'?: string | undefined
  readonly etag?: string | undefined
  readonly expires?: string | undefined
}

/** A world as data, with its caching headers: `connect` returns it and takes it back. */
export interface KeptWorld extends WorldData {
  /** Absent: this client has not asked its origin. */
  readonly received?: Received | undefined
}

/** Puts a world into `into`: a stored one as it is if its headers allow that, else from its origin. */
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
 * Returns the options with which a call of a world in use continues. Before that, the document is revalidated if it is due,
 * at most once a minute and within a part of the call's timeout.
 */
export async function whenCurrent(world: KeptWorld, options: CallOptions = {}): Promise<CallOptions> {
  const settings = settingsOf(world)
  if (!isStale(world, LEAST_PERIOD)) return options
  const { signal, timeout = settings.timeout ?? 30_000 } = options
  const begun = Date.now()
  // Marked first: calls that begin meanwhile continue with the current document.
  Object.assign(world, { received: { ...world.received, at: begun } })
  await revalidate(world, { signal, timeout: timeout / 4 })
  return { signal, timeout: timeout - (Date.now() - begun) }
}

/**
 * Revalidates a document with `If-None-Match`. A failed request changes nothing: until one succeeds, the current document
 * is used (`stale-if-error`).
 */
async function revalidate(world: KeptWorld, options: CallOptions): Promise<void> {
  const { etag } = world.received ?? {}
  // A browser's cache revalidates by itself; the header would need a preflight there.
  const asks = etag !== undefined && !/^Moz/.test(globalThis.navigator?.userAgent)
  const conditions: Conditions = asks ? { headers: { 'if-none-match': etag } } : {}
  hear(world, await readAgain(world, options, conditions))
}

/** Without headers (a 304, or no answer) the headers received before apply from now on. */
function hear(world: KeptWorld, headers: Headers | undefined): void {
  const told = headers
    ? Object.fromEntries(KEPT_HEADERS.map((name) => [name, headers.get(name) ?? undefined]))
    : { ...world.received, age: undefined }
  Object.assign(world, { received: { ...told, at: Date.now() } })
}

/** Reports whether the headers of a document require revalidation. Without any it is kept: a move is detected anyway. */
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
