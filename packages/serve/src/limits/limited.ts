/** Rate-limits a handler. A refused client is told where to download the whole world. */
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

/** Options for a rate-limited handler. */
export interface LimitOptions {
  readonly limit: RateLimit
  /** Returns the id of a request's token, or undefined if it has no valid token. */
  readonly tokenOf: (request: WorldRequest) => Promise<string | undefined>
  /** Returns the URL or path of the whole-world download, or undefined if there is none. */
  readonly download: (request: WorldRequest) => string | undefined
}

/**
 * Counts each request against its token, or against its address if it has no valid token. Responses report the remaining
 * quota (draft-ietf-httpapi-ratelimit-headers). A request over the limit gets 429 `rate_limited`. Requests from exempt
 * addresses, and requests with neither a token nor an address, are not counted.
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
    // Most requests have no token and are counted synchronously.
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
