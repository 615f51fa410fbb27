/**
 * From an origin to a world: its discovery document, and the parts that a client relies on.
 */
import { httpOrigin, isInsecure, originFrom } from './address.ts'
import { assertArgument, attempt, fail, isText } from './error.ts'
import { type DiscoveryDocument, isObject, PROTOCOL, WELL_KNOWN_PATH } from './protocol.ts'
import type { Reader } from './reader.ts'
import { type Call, type CallOptions, type Limits, request, type Settings } from './request.ts'

/** A world as plain data: it survives `JSON.stringify` and `structuredClone`, and `connect` restores it. */
export interface WorldData {
  /** Scheme, host and port, as passed to `connect`. */
  readonly origin: string
  /** The discovery document, unknown members included; replaced if a later read of discovery finds it changed. */
  readonly document: DiscoveryDocument
  /** `world.id` of the document; absent if it has none. Never changes. */
  readonly id?: string | undefined
}

/** Options of connecting. All but `signal` and `expectWorldId` apply to every later call too. */
export interface ConnectOptions extends CallOptions, Limits {
  /** Bearer token for an API on the world's own origin or one of `tokenOrigins`; never over plain http, never beyond them. */
  token?: string | undefined
  /** Origins besides the world's own that may get the token if the discovery document names them. Default: none. */
  tokenOrigins?: readonly string[] | undefined
  /** Sent with every request to the world, discovery included; without `Authorization`, for which `token` exists. */
  headers?: Record<string, string> | undefined
  /** Aborts the connecting; later calls have signals of their own. */
  signal?: AbortSignal | undefined
  /** The `world.id` that is expected, else `world_mismatch`. */
  expectWorldId?: string | undefined
}

const settingsOfWorld = /* @__PURE__ */ new WeakMap<object, Settings>()

/** Returns the settings that a world was connected with; `invalid_argument` for stored data that was not connected again. */
export function settingsOf(world: WorldData): Settings {
  const settings = settingsOfWorld.get(world)
  assertArgument(settings, { world: 'not connected' })
  return settings
}

/** Gives `world` an origin and the settings of its calls. Its document is then still missing. */
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

/** Cache mode and headers of a repeated read of a document: with them, a failed request is not retried. */
export type Conditions = Pick<Call<unknown>, 'cache' | 'headers'>

/**
 * Fetches and checks the discovery document of a world, without the token.
 * Not a JSON object, or no `protocol` of the form `world/…`: `not_a_world`. Another version: `unsupported_protocol`,
 * details `offered` and `supported`. An `endpoints.api` that is not a plain absolute URL: `invalid_response`. One whose
 * origin may not get the token: `insecure_endpoint`, details `api`, `namedBy` and `tokenOrigins`. A `world.id` that
 * differs from `expected`, if given: `world_mismatch`, details `expected` and `actual`.
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

/** Reads the document again. If it cannot be fetched, nothing changes; if it is fetched and invalid, that is thrown. */
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

/** Adopts a document as that of a world, or throws what `read` throws for it. It came from `url`, redirects followed. */
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
