/**
 * Keeping a world: how long its discovery document may be used unasked, and asking whether it still holds.
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

// However short a document may be kept, a world in use does not ask for it more often (ms).
const LEAST_PERIOD = 60_000
const KEPT_HEADERS = ['age', 'cache-control', 'etag', 'expires'] as const

/** When a document came, and what its headers say about keeping it (RFC 9111). */
export interface Received {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly age?: string | undefined
  readonly 'cache-control'?: string | undefined
  readonly etag?: string | undefined
  readonly expires?: string | undefined
}

/** A world as data that knows how long it may be kept: what `connect` answers with, and what it takes back. */
export interface KeptWorld extends WorldData {
  /** Absent: its origin has not been asked by this client. */
  readonly received?: Received | undefined
}

/** Puts a world into `into`: a stored one as it is, where its headers allow that, else from its origin. */
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
 * The options a call of a world in use goes on with. Before it, the document is asked for again where that is due, at
 * most once a minute and in a part of the call's time.
 */
export async function whenCurrent(world: KeptWorld, options: CallOptions = {}): Promise<CallOptions> {
  const settings = settingsOf(world)
  if (!isStale(world, LEAST_PERIOD)) return options
  const { signal, timeout = settings.timeout ?? 30_000 } = options
  const begun = Date.now()
  // Marked first: calls that begin meanwhile go on with what is at hand.
  Object.assign(world, { received: { ...world.received, at: begun } })
  await revalidate(world, { signal, timeout: timeout / 4 })
  return { signal, timeout: timeout - (Date.now() - begun) }
}

/**
 * Asks with `If-None-Match` whether a document still holds. One that cannot be had changes nothing: until it can, the
 * one at hand is used (`stale-if-error`).
 */
async function revalidate(world: KeptWorld, options: CallOptions): Promise<void> {
  const { etag } = world.received ?? {}
  // A browser has a cache that asks by itself; the header would need a preflight there.
  const asks = etag !== undefined && !/^Moz/.test(globalThis.navigator?.userAgent)
  const conditions: Conditions = asks ? { headers: { 'if-none-match': etag } } : {}
  hear(world, await readAgain(world, options, conditions))
}

/** Without headers, a 304 or no answer, what was said before holds from now on. */
function hear(world: KeptWorld, headers: Headers | undefined): void {
  const told = headers
    ? Object.fromEntries(KEPT_HEADERS.map((name) => [name, headers.get(name) ?? undefined]))
    : { ...world.received, age: undefined }
  Object.assign(world, { received: { ...told, at: Date.now() } })
}

/** Whether the headers of a document demand to ask again. What they leave open is kept: a move is noticed anyway. */
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
