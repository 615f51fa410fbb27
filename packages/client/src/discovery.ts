/**
 * Reading and validation of discovery documents.
 */
import { httpOrigin, isInsecure, originFrom } from './address.ts'
import { assertArgument, attempt, fail, isText } from './error.ts'
import { type DiscoveryDocument, isObject, PROTOCOL, WELL_KNOWN_PATH } from './protocol.ts'
import type { Reader } from './reader.ts'
import { type Call, type CallOptions, type Limits, request, type Settings } from './request.ts'

/** A world as plain data that survives `JSON.stringify` and `structuredClone`. Pass a copy to `connect` to restore it. */
export interface WorldData {
  /** Scheme, host and port, as passed to `connect`. */
  readonly origin: string
  /** The discovery document, including unknown members. Replaced whenever the document is reread. */
  readonly document: DiscoveryDocument
  /** `world.id` of the document, if any. Never changes once it is set. */
  readonly id?: string | undefined
}

/** Connection options. All but `signal` and `expectWorldId` also apply to every later call. */
export interface ConnectOptions extends CallOptions, Limits {
  /** Bearer token. Sent only to an API on the world's own origin or in `tokenOrigins`, and over http only to loopback. */
  token?: string | undefined
  /** Additional origins that may receive the token if the discovery document names them. Default: empty. */
  tokenOrigins?: readonly string[] | undefined
  /** Headers sent with every request to the world, including discovery. Use `token` instead of `Authorization`. */
  headers?: Record<string, string> | undefined
  /** Aborts connecting. Later calls take their own signals. */
  signal?: AbortSignal | undefined
  /** Expected `world.id`. Connecting to a world with any other id fails with `world_mismatch`. */
  expectWorldId?: string | undefined
}

const settingsOfWorld = /* @__PURE__ */ new WeakMap<object, Settings>()

/** Returns the settings of a connected world. Throws `invalid_argument` for a stored world that was not reconnected. */
export function settingsOf(world: WorldData): Settings {
  const settings = settingsOfWorld.get(world)
  assertArgument(settings, { world: 'not connected' })
  return settings
}

/** Sets the origin and call settings of `world`. The document is set later, by `adopt`. */
export function begin<W extends object>(
  world: W,
  origin: string,
  { token, tokenOrigins = [], ...options }: ConnectOptions & { reader?: Reader },
): W & WorldData {
  const origins = [origin, ...tokenOrigins].map(originFrom)
  const begun = Object.assign(world, { origin: origins[0] }) as W & WorldData
  const given = attempt(() => {
    const headers = new Headers(options.headers)
    if (token) headers.set('authorization', `Bearer ${token}`)
    return Object.fromEntries(headers)
  })
  assertArgument(given, { headers: 'not HTTP' })
  const { authorization, ...headers } = given
  settingsOfWorld.set(begun, { ...options, authorization, headers, tokenOrigins: origins })
  return begun
}

/** Cache mode and headers for rereading a document. A read that is given conditions, even empty ones, is not retried. */
export type Conditions = Pick<Call<unknown>, 'cache' | 'headers'>

/**
 * Fetches and validates the discovery document of a world, without sending the token.
 * Throws `not_a_world` if the body is not a JSON object or has no `protocol` of the form `world/…`; `unsupported_protocol`
 * (details `offered`, `supported`) for another version; `invalid_response` if `endpoints.api` is not a plain absolute URL;
 * `insecure_endpoint` (details `api`, `namedBy`, `tokenOrigins`) if the API's origin may not receive the token; and
 * `world_mismatch` (details `expected`, `actual`) if `expected` is given and differs from `world.id`.
 */
export function read(
  world: WorldData,
  options: CallOptions,
  expected: string | undefined,
  more?: Conditions,
): Promise<Headers> {
  const take = (body: unknown, _: unknown, { headers, url }: Response) => {
    adopt(world, body, expected, url)
    return headers
  }
  const url = () => world.origin + WELL_KNOWN_PATH
  return request(settingsOf(world), { ...more, url, safe: !more, take }, options)
}

/** Rereads the document. Returns undefined and changes nothing if the request fails. Throws if the document is invalid. */
export function readAgain(
  world: WorldData,
  options: CallOptions,
  more: Conditions,
): Promise<Headers | undefined> {
  return read(world, options, world.id, more).catch((error) => {
    if (/^2/.test(error.status)) throw error
    return undefined
  })
}

/** Validates a document and assigns it to a world. Throws as `read` does. `url` is the document's URL after redirects. */
export function adopt(world: WorldData, body: unknown, expected: string | undefined, url?: string): void {
  const document = (isObject(body) ? body : {}) as DiscoveryDocument
  const { protocol, endpoints } = document
  if (!isText(protocol) || !protocol.startsWith('world/')) fail('not_a_world')
  if (protocol !== PROTOCOL) fail('unsupported_protocol', { offered: protocol, supported: [PROTOCOL] })
  const origin = httpOrigin(endpoints?.api) ?? fail('invalid_response', { member: 'endpoints.api' })
  const { authorization, reader, tokenOrigins } = settingsOf(world)
  if (authorization && (isInsecure(origin) || !tokenOrigins.includes(origin)))
    fail('insecure_endpoint', { api: origin, namedBy: url || world.origin, tokenOrigins })
  const given = reader ? reader.worldId(document) : document.world?.id
  const id = isText(given) ? given : undefined
  if (expected !== undefined && expected !== id) fail('world_mismatch', { expected, actual: id })
  Object.assign(world, { document, id })
}
