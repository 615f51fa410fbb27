/** The extension `worldwright:replica`, which serves a replica once it has caught up and reports its replication lag. */

import type { Extension, WorldFault, WorldResponse } from '@worldwright/core'
import { andThen, createRequestIds, errorResponse, idOf, unavailable } from '@worldwright/core'
import { lagSeconds, type ReplicaStatus } from './status.ts'

/** Response header with the maximum lag behind the upstream, in seconds, with one decimal. */
export const LAG_HEADER = 'worldwright-lag'

const RETRY_AFTER_SECONDS = 1

/** Sources of the replication status and the time. */
export interface ReplicaOptions {
  readonly status: () => ReplicaStatus
  readonly now?: () => number
}

/** Responds with 503 `unavailable` until the replica has caught up once. After that, adds the lag to every response. */
export function replica({ status, now = Date.now }: ReplicaOptions): Extension {
  const requestId = createRequestIds()
  const withLag =
    (stood: ReplicaStatus) =>
    ({ headers, ...response }: WorldResponse): WorldResponse => ({
      ...response,
      headers: { ...headers, [LAG_HEADER]: lagText(lagSeconds(stood, now())) },
    })
  return () => ({
    name: 'worldwright:replica',
    around: (handle) => (request) => {
      // The status is read before the request is handled, so that the data are at least as recent as the status.
      const stood = status()
      if (stood.isReady || request.method === 'OPTIONS') return andThen(handle(request), withLag(stood))
      const response = errorResponse(notYet(), idOf(request) ?? requestId())
      return request.method === 'HEAD' ? { status: response.status, headers: response.headers } : response
    },
  })
}

/** Formats the lag, rounded up so that no response is older than reported. */
function lagText(seconds: number): string {
  return (Math.ceil(seconds * 10) / 10).toFixed(1)
}

function notYet(): WorldFault {
  const message = 'This replica is still being made. Try again later, or ask its upstream.'
  return unavailable(message, RETRY_AFTER_SECONDS)
}
