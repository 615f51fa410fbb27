/** A handler behind a rate limit: a client with too many requests is refused, and pointed to the download of the whole world. */
import {
  andThen,
  errorResponse,
  idOf,
  unavailable,
  type WorldHandler,
  type WorldRequest,
  type WorldResponse,
} from '@worldwright/core'
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
 * (draft-ietf-httpapi-ratelimit-headers); too many are 429 `rate_limited`. Without an address nothing is counted, nor for those
 * that are exempt.
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
  const withFields = (response: WorldResponse, budget: Budget) => ({
    ...response,
    headers: { ...response.headers, ...fieldsOf(budget) },
  })
  const counted = (request: WorldRequest, token: string | undefined) => {
    const address = request.client?.address
    if (address === undefined ? token === undefined : limit.isExempt(address)) return handler.handle(request)
    const budget = limit.take(token === undefined ? limitedAddress(address ?? '') : `token ${token}`)
    if (budget.isSpent) return withFields(refusal(request, budget, download(request)), budget)
    return andThen(handler.handle(request), (response) => withFields(response, budget))
  }
  return {
    // Most requests have no token: they cost no promise.
    handle: (request) =>
      request.headers['authorization'] === undefined
        ? counted(request, undefined)
        : tokenOf(request).then((token) => counted(request, token)),
  }
}

function refusal(
  request: WorldRequest,
  { resetSeconds }: Budget,
  download: string | undefined,
): WorldResponse {
  const whole = download === undefined ? '' : ` The whole world is one download: ${download}`
  const fault = unavailable(`Too many requests. Go on in ${resetSeconds} s.${whole}`, resetSeconds, {
    code: 'rate_limited',
    ...(download !== undefined && { details: { download } }),
  })
  const response = errorResponse(fault, idOf(request) ?? '')
  return request.method === 'HEAD' ? { status: response.status, headers: response.headers } : response
}
