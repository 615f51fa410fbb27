/** Absolute URLs by which a world names itself (decisions 1): from configuration only, unless a proxy is trusted. */
import { API_PATH } from '../world/discovery-document.ts'
import type { WorldRequest } from './http.ts'

/** Public addresses of a world, as its operator configures them. */
export interface OriginOptions {
  /** The world's origin as clients see it: scheme, host and port. By default the adapter's own address. */
  readonly publicUrl?: string | undefined
  /** The absolute URL of the API, on any origin and path. By default `publicUrl` and the Level 1 prefix. */
  readonly apiUrl?: string | undefined
  /** Take the origin from `X-Forwarded-Proto` and `X-Forwarded-Host`, else `Host`, of each request. */
  readonly trustProxy?: boolean
}

/** Absolute URLs of a world and its API, by request. */
export interface Origins {
  /** Path prefix of the API routes, without a trailing slash. */
  readonly apiPath: string
  /** The world's own origin as configured. Undefined: `origin` determines one for each request. */
  readonly publicUrl: string | undefined
  apiUrl(request: WorldRequest): FoundUrl
  /** Returns the world's own origin, for resources outside the API. */
  origin(request: WorldRequest): FoundUrl
}

/** A URL for a request. `fromHeaders`: it is valid for the requesting client alone. */
export interface FoundUrl {
  readonly url: string
  readonly fromHeaders: boolean
}

/**
 * Validates the options once.
 * @throws TypeError if a URL does not suit its option, naming the option.
 */
export function createOrigins(options: OriginOptions): Origins {
  const publicUrl = options.publicUrl === undefined ? undefined : originFrom(options.publicUrl)
  const apiUrl = options.apiUrl === undefined ? undefined : apiUrlFrom(options.apiUrl)
  const apiPath = apiUrl === undefined ? API_PATH : new URL(apiUrl).pathname.replace(/\/$/, '')
  const origin = (request: WorldRequest): FoundUrl => {
    if (publicUrl !== undefined) return { url: publicUrl, fromHeaders: false }
    const fromHeaders = options.trustProxy === true
    const url = (fromHeaders ? forwardedOrigin(request) : undefined) ?? request.origin
    // Applies even if the fields name no host: a cached answer would reach clients whose fields do.
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
  throw new TypeError(
    `publicUrl must be an origin, such as https://sol.example, and nothing more; it is ${text}`,
  )
}

/** Checked as written, since the URL parser repairs white space, backslashes and missing slashes that clients refuse. */
const PLAIN_URL = /^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/i

/** Keeps the URL exactly as the operator wrote it: clients use it as given (Level 1, versioning 2). */
function apiUrlFrom(text: string): string {
  if (PLAIN_URL.test(text) && URL.canParse(text)) return text
  throw new TypeError(
    `apiUrl must be an absolute http or https URL without user, query or fragment; it is ${text}`,
  )
}

/** One host with an optional port: nothing that could smuggle a path, a user or a second host into the URL. */
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/

function forwardedOrigin({ headers }: WorldRequest): string | undefined {
  const host = first(headers['x-forwarded-host']) ?? headers['host']
  const protocol = first(headers['x-forwarded-proto']) ?? 'http'
  if (host === undefined || !HOST.test(host) || !/^https?$/.test(protocol)) return undefined
  const origin = `${protocol}://${host}`
  // The pattern admits hosts that are invalid: a port beyond 65535, a malformed address.
  return URL.canParse(origin) ? origin : undefined
}

function first(list: string | undefined): string | undefined {
  return list?.split(',')[0]?.trim()
}
