/**
 * A single write as a request: sent again after no answer, and then distinguished from a write by another writer.
 */
import { component, httpOrigin } from '../address.ts'
import { settingsOf, type WorldData } from '../discovery.ts'
import { attempt, fail, isText } from '../error.ts'
import { isObject, type JsonValue } from '../protocol.ts'
import type { Fetch } from '../redirect.ts'
import { type Call, type CallOptions, request, type Settings } from '../request.ts'

/** The extension in which a world declares where it can be written. */
const EXTENSION = 'worldwright:operator'

/** Returns the URL at which a world can be written; `unsupported_extension` without one on the origin of its API. */
function operatorUrl({ document }: WorldData): string {
  const { extensions, endpoints } = document
  const declared = isObject(extensions) ? extensions[EXTENSION] : undefined
  const path = isObject(declared) ? declared['path'] : undefined
  const url = isText(path) && path.startsWith('/') && attempt(() => new URL(path, endpoints.api))
  // On the origin of the API, since the token is sent along. The parser drops tabs: `/\t/host` is another origin.
  return url && url.origin === httpOrigin(endpoints.api)
    ? url.href
    : fail('unsupported_extension', { extension: EXTENSION })
}

/** Returns the URL of a type, or of one entity of it. */
export function entitiesUrl(world: WorldData, type: string, id?: string): string {
  return `${operatorUrl(world)}/entities/${component(type)}${id === undefined ? '' : `/${component(id)}`}`
}

/** A request that writes, or reads what was written. */
export interface Write<T> extends Pick<Call<T>, 'body' | 'take'> {
  readonly url: string
  /** Absent: GET. */
  readonly method?: string | undefined
  /** Media type of the body. Absent: JSON. */
  readonly mediaType?: string | undefined
  readonly ifRevision?: string | undefined
  readonly ifAbsent?: boolean | undefined
}

/** Result of a write, with whether an earlier attempt may have done it already. */
export interface Sent<T> {
  readonly result: T
  readonly isRepeated: boolean
}

/** Sends a write, and retries it if that changes nothing. An error that it throws has `isRepeated` among its members. */
export async function send<T>(world: WorldData, write: Write<T>, options?: CallOptions): Promise<Sent<T>> {
  const { url, ifRevision, ifAbsent, body, take } = write
  const settings = settingsOf(world)
  const attempts = attemptsOf(write, settings)
  const headers = {
    ...(ifRevision !== undefined && { 'if-match': `"${ifRevision}"` }),
    ...(ifAbsent && { 'if-none-match': '*' }),
  }
  try {
    const result = await request(
      { ...settings, fetch: attempts.fetch },
      // `ask` makes the token go along; a world that has moved is not written without being asked.
      { body, take, url: () => url, headers, safe: true, ask: async () => undefined },
      options,
    )
    return { result, isRepeated: attempts.count > 1 }
  } catch (error) {
    throw Object.assign(error as object, { isRepeated: attempts.count > 1 })
  }
}

/** Reports whether the attempt that failed with this error was not the first. */
export function wasRepeated(error: unknown): boolean {
  return Object(error).isRepeated === true
}

/** Counts the attempts of one write, and adds the method and media type that reading never needs. */
function attemptsOf<T>({ method, mediaType }: Write<T>, { fetch = globalThis.fetch as Fetch }: Settings) {
  const attempts = {
    count: 0,
    isRedirected: false,
    async fetch(url: string, init: RequestInit) {
      if (!attempts.isRedirected) attempts.count += 1
      const headers = { ...(init.headers as object), ...(mediaType && { 'content-type': mediaType }) }
      const response = await fetch(url, { ...init, ...(method && { method }), headers })
      const { status, type } = response
      attempts.isRedirected = type === 'opaqueredirect' || /^30/.test(`${status}`)
      // Only 307 and 308 keep the method.
      if (method && attempts.isRedirected && !/30[78]/.test(`${status}`)) fail('invalid_response', { status })
      return response.headers.get('content-type')?.startsWith(NDJSON) ? asArray(response) : response
    },
  }
  return attempts
}

/** The media type of JSON texts, one per line. */
export const NDJSON = 'application/x-ndjson'

/** Returns a response of JSON texts, one per line, as one array of them, with a null after the last. */
function asArray({ body, status, headers }: Response): Response {
  const encoder = new TextEncoder()
  const lines = new TransformStream<Uint8Array, Uint8Array>({
    start: (out) => out.enqueue(encoder.encode('[')),
    transform: (bytes, out) => out.enqueue(bytes.map((byte) => (byte === 10 ? 44 : byte))),
    flush: (out) => out.enqueue(encoder.encode('null]')),
  })
  const type = { 'content-type': 'application/json', 'request-id': headers.get('request-id') ?? '' }
  return new Response(body?.pipeThrough(lines) ?? null, { status, headers: type })
}

/** Reports whether two JSON values are equal, regardless of the order of members. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((value, at) => sameJson(value, right[at]))
  if (!isObject(left) || !isObject(right)) return Object.is(left, right) || left === right
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
  )
}
