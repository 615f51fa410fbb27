/** Which absolute URLs a world names itself by (decisions 1): configuration only, unless a proxy is trusted. */
import { API_PATH } from '../world/discovery-document.ts'
import type { WorldRequest } from './http.ts'

/** Where a world is reached, as its operator says. */
export interface OriginOptions {
  /** The world's origin as clients see it: scheme, host and port. By default the adapter's own address. */
  readonly publicUrl?: string | undefined
  /** The absolute URL of the API, on any origin and path. By default `publicUrl` and the Level 1 prefix. */
  readonly apiUrl?: string | undefined
  /** Take the origin from `X-Forwarded-Proto` and `X-Forwarded-Host`, else `Host`, of each request. */
  readonly trustProxy?: boolean
}

/** How the API's URL is found for a request. */
export interface Origins {
  /** The path the API's routes stand on, without a trailing slash. */
  readonly apiPath: string
  /** The world's own origin as configured. Undefined: `origin` finds one for each request. */
  readonly publicUrl: string | undefined
  apiUrl(request: WorldRequest): FoundUrl
  /** The world's own origin, for what stands beside the API. */
  origin(request: WorldRequest): FoundUrl
}

/** An address for a request. `fromHeaders`: it holds for the asking client alone. */
export interface FoundUrl {
  readonly url: string
  readonly fromHeaders: boolean
}

/**
 * Checks the options once.
 * @throws TypeError where a URL is not what its option needs, naming the option.
 */
export function createOrigins(options: OriginOptions): Origins {
  const publicUrl = options.publicUrl === undefined ? undefined : originFrom(options.publicUrl)
  const apiUrl = options.apiUrl === undefined ? undefined : apiUrlFrom(options.apiUrl)
  const apiPath = apiUrl === undefined ? API_PATH : new URL(apiUrl).pathname.replace(/\/$/, '')
  const origin = (request: WorldRequest): FoundUrl => {
    if (publicUrl !== undefined) return { url: publicUrl, fromHeaders: false }
    const fromHeaders = options.trustProxy === true
    const url = (fromHeaders ? forwardedOrigin(request) : undefined) ?? request.origin
    // Also where the fields name no host: kept, that answer would reach those whose fields do.
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

/** As written, since the URL parser repairs white space, backslashes and missing slashes that clients refuse. */
const PLAIN_URL = /^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/i

/** The URL is kept exactly as the operator wrote it: clients use it as given (Level 1, versioning 2). */
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
  // What looks like a host need not be one: a port beyond 65535, an address that is none.
  return URL.canParse(origin) ? origin : undefined
}

function first(list: string | undefined): string | undefined {
  return list?.split(',')[0]?.trim()
}
