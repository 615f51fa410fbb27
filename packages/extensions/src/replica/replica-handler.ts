/** The extension `worldwright:replica`: a world that follows another, once it has caught up, with its replication lag. */

import type { Extension, WorldFault, WorldResponse } from '@worldwright/core'
import { andThen, createRequestIds, errorResponse, idOf, unavailable } from '@worldwright/core'
import { lagSeconds, type ReplicaStatus } from './status.ts'

/** Response header: maximum lag behind the upstream, in seconds, with one decimal. */
export const LAG_HEADER = 'worldwright-lag'

const RETRY_AFTER_SECONDS = 1

/** Source of the replication status. */
export interface ReplicaOptions {
  readonly status: () => ReplicaStatus
  readonly now?: () => number
}

/** Answers 503 `unavailable` until the replica has caught up once, and as its world does from then on. */
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
      // Taken before the read, so that the data are at least this recent.
      const stood = status()
      if (stood.isReady || request.method === 'OPTIONS') return andThen(handle(request), withLag(stood))
      const response = errorResponse(notYet(), idOf(request) ?? requestId())
      return request.method === 'HEAD' ? { status: response.status, headers: response.headers } : response
    },
  })
}

/** Rounded up, so that no answer is older than stated. */
function lagText(seconds: number): string {
  return (Math.ceil(seconds * 10) / 10).toFixed(1)
}

function notYet(): WorldFault {
  const message = 'This replica is still being made. Try again later, or ask its upstream.'
  return unavailable(message, RETRY_AFTER_SECONDS)
}
