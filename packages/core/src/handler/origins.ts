/** Absolute URLs of a world (decisions 1). They come only from the configuration, unless a proxy is trusted. */
import { API_PATH } from '../world/discovery-document.ts'
import type { WorldRequest } from './http.ts'

/** Public URLs of a world, as configured by its operator. */
export interface OriginOptions {
  /** Origin of the world as seen by clients: scheme, host and port. Default: the adapter's own address. */
  readonly publicUrl?: string | undefined
  /** Absolute URL of the API, on any origin and path. Default: the Level 1 path on `publicUrl`. */
  readonly apiUrl?: string | undefined
  /** Derives the origin from each request: `X-Forwarded-Proto`, and `X-Forwarded-Host` or, if absent, `Host`. */
  readonly trustProxy?: boolean
}

/** Absolute URLs of a world and its API, resolved per request. */
export interface Origins {
  /** Path prefix of the API routes, without a trailing slash. */
  readonly apiPath: string
  /** Configured origin of the world. If undefined, `origin` determines it per request. */
  readonly publicUrl: string | undefined
  apiUrl(request: WorldRequest): FoundUrl
  /** Returns the world's own origin, for resources outside the API. */
  origin(request: WorldRequest): FoundUrl
}

/** A resolved URL. If `fromHeaders` is true, the URL is valid only for the requesting client. */
export interface FoundUrl {
  readonly url: string
  readonly fromHeaders: boolean
}

/**
 * Validates the options, and creates the functions that resolve URLs.
 * @throws TypeError if a URL is invalid, naming the option.
 */
export function createOrigins(options: OriginOptions): Origins {
  const publicUrl = options.publicUrl === undefined ? undefined : originFrom(options.publicUrl)
  const apiUrl = options.apiUrl === undefined ? undefined : apiUrlFrom(options.apiUrl)
  const apiPath = apiUrl === undefined ? API_PATH : new URL(apiUrl).pathname.replace(/\/$/, '')
  const origin = (request: WorldRequest): FoundUrl => {
    if (publicUrl !== undefined) return { url: publicUrl, fromHeaders: false }
    const fromHeaders = options.trustProxy === true
    const url = (fromHeaders ? forwardedOrigin(request) : undefined) ?? request.origin
    // `fromHeaders` is set even if the headers name no host: a cached response could reach clients that do name one.
    if (url !== undefined) return { url, fromHeaders }
    throw new TypeError('A world needs publicUrl where its adapter has no address of its own.')
  }
  return {
    apiPath,
    publicUrl,
    origin,
    apiUrl(request) {
      if (apiUrl !== undefined) return { url: apiUrl, fromHeaders: false }
      const { url, fromHeaders } = origin(request)
      return { url: url + apiPath, fromHeaders }
    },
  }
}

function originFrom(text: string): string {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  const needed = 'an origin, such as https://sol.example, since a world needs a host name of its own'
  throw new TypeError(`publicUrl must be ${needed}; it is ${text}`)
}

/** Matches the URL as written. The URL parser would repair white space and backslashes, which clients refuse. */
const PLAIN_URL = /^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/i

/** Validates the URL, and returns it unchanged, because clients use it exactly as given (Level 1, versioning 2). */
function apiUrlFrom(text: string): string {
  if (PLAIN_URL.test(text) && URL.canParse(text)) return text
  const needed = 'an absolute http or https URL without user, query or fragment'
  throw new TypeError(`apiUrl must be ${needed}; it is ${text}`)
}

/** Matches a host with an optional port, and nothing that could inject a path, a user or a second host into a URL. */
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/

function forwardedOrigin({ headers }: WorldRequest): string | undefined {
  const host = first(headers['x-forwarded-host']) ?? headers['host']
  const protocol = first(headers['x-forwarded-proto']) ?? 'http'
  if (host === undefined || !HOST.test(host) || !/^https?$/.test(protocol)) return undefined
  const origin = `${protocol}://${host}`
  // The pattern also matches invalid hosts, such as a port above 65535 or a malformed address.
  return URL.canParse(origin) ? origin : undefined
}

function first(list: string | undefined): string | undefined {
  return list?.split(',')[0]?.trim()
}
