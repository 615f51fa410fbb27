/**
 * A single write request, retried if there is no response. The result reports whether it was retried.
 */
import { component, httpOrigin } from '../address.ts'
import { settingsOf, type WorldData } from '../discovery.ts'
import { attempt, fail, isText } from '../error.ts'
import { isObject, type JsonValue } from '../protocol.ts'
import type { Fetch } from '../redirect.ts'
import { type Call, type CallOptions, request, type Settings } from '../request.ts'

const EXTENSION = 'worldwright:operator'

/** Returns the URL of a world's operator API. Throws `unsupported_extension` if none is declared on the API's origin. */
export function operatorUrl({ document }: WorldData): string {
  const { extensions, endpoints } = document
  const declared = isObject(extensions) ? extensions[EXTENSION] : undefined
  const path = isObject(declared) ? declared['path'] : undefined
  const url = isText(path) && path.startsWith('/') && attempt(() => new URL(path, endpoints.api))
  // The URL receives the token, so it must be on the API's origin. URL parsing drops tabs: `/\t/host` is another origin.
  return url && url.origin === httpOrigin(endpoints.api)
    ? url.href
    : fail('unsupported_extension', { extension: EXTENSION })
}

/** Returns the operator URL of a type or of one of its entities. */
export function entitiesUrl(world: WorldData, type: string, id?: string): string {
  return `${operatorUrl(world)}/entities/${component(type)}${id === undefined ? '' : `/${component(id)}`}`
}

/** A request that writes an entity or reads it back. */
export interface Write<T> extends Pick<Call<T>, 'body' | 'take'> {
  readonly url: string
  /** HTTP method. Default: GET. */
  readonly method?: string | undefined
  /** Media type of the body. Default: JSON. */
  readonly mediaType?: string | undefined
  readonly ifRevision?: string | undefined
  readonly ifAbsent?: boolean | undefined
}

/** Result of a write. `isRepeated` is true if an earlier attempt may already have applied the write. */
export interface Sent<T> {
  readonly result: T
  readonly isRepeated: boolean
}

/** Sends a write, and retries it like a safe call, unless its body is a file. Sets `isRepeated` on thrown errors too. */
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
      // `ask` makes `request` send the token, but looks up no new address: nothing is written to a world that has moved.
      // The attempt to send a file may take as long as the whole call.
      { body, take, url: () => url, headers, safe: !(body instanceof Blob), ask: async () => undefined },
      options,
    )
    return { result, isRepeated: attempts.count > 1 }
  } catch (error) {
    throw Object.assign(error as object, { isRepeated: attempts.count > 1 })
  }
}

/** Reports whether the write that failed with `error` had been sent more than once. */
export function wasRepeated(error: unknown): boolean {
  return Object(error).isRepeated === true
}

/** Counts the attempts of one write, and sets its method and media type, which `request` cannot set. */
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

/** Media type of newline-delimited JSON. */
export const NDJSON = 'application/x-ndjson'

/** Converts a newline-delimited JSON response to a JSON array with a null added at the end. */
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

/** Reports whether two JSON values are equal. Member order is ignored. */
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
