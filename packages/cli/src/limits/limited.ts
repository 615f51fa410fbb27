/** A handler behind a rate limit: a client with too many requests is refused, and pointed to the download of the whole world. */
import {
  errorResponse,
  WorldFault,
  type WorldHandler,
  type WorldRequest,
  type WorldResponse,
} from '@worldwright/server'
import { limitedAddress } from './limited-address.ts'
import type { Budget, RateLimit } from './rate-limit.ts'

/** What a limited handler works with. */
export interface LimitOptions {
  readonly limit: RateLimit
  /** The id of a request's token; undefined without a valid one. */
  readonly tokenOf: (request: WorldRequest) => Promise<string | undefined>
  /** Where the whole world is one download, as a URL or a path. Absent: nowhere. */
  readonly download: (request: WorldRequest) => string | undefined
}

/**
 * Counts each request for its token, or without a valid one for its address. Every answer says how many are left
 * (draft-ietf-httpapi-ratelimit-headers); too many are 429 `rate_limited`. Without an address nothing is counted.
 */
export function limited(
  handler: Pick<WorldHandler, 'handle'>,
  { limit, tokenOf, download }: LimitOptions,
): Pick<WorldHandler, 'handle'> {
  const policy = `"requests";q=${limit.limit};w=${limit.windowSeconds}`
  const fieldsOf = ({ remaining, resetSeconds }: Budget) => ({
    'ratelimit-policy': policy,
    ratelimit: `"requests";r=${remaining};t=${resetSeconds}`,
  })
  return {
    async handle(request) {
      const token = await tokenOf(request)
      const address = request.client?.address
      if (token === undefined && address === undefined) return handler.handle(request)
      const budget = await limit.take(token === undefined ? limitedAddress(address ?? '') : `token ${token}`)
      const response = budget.isSpent
        ? refusal(request, budget, download(request))
        : await handler.handle(request)
      return { ...response, headers: { ...response.headers, ...fieldsOf(budget) } }
    },
  }
}

function refusal(
  request: WorldRequest,
  { resetSeconds }: Budget,
  download: string | undefined,
): WorldResponse {
  const whole = download === undefined ? '' : ` The whole world is one download: ${download}`
  const fault = new WorldFault(
    'rate_limited',
    `Too many requests. Go on in ${resetSeconds} s.${whole}`,
    { retryAfterSeconds: resetSeconds, ...(download !== undefined && { download }) },
    { 'retry-after': String(resetSeconds) },
  )
  const response = errorResponse(fault, request.headers['request-id'] ?? '')
  return request.method === 'HEAD' ? { status: response.status, headers: response.headers } : response
}
