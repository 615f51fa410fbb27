/** The extension `worldwright:replica`: a world that follows another, once it is there, with how far it is behind. */

import type { Extension, WorldFault, WorldResponse } from '@worldwright/core'
import { andThen, createRequestIds, errorResponse, idOf, unavailable } from '@worldwright/core'
import { lagSeconds, type ReplicaStatus } from './status.ts'

/** On every answer: seconds that it may be behind the owner, with one decimal. */
export const LAG_HEADER = 'worldwright-lag'

const RETRY_AFTER_SECONDS = 1

/** The state of the replication. */
export interface ReplicaOptions {
  readonly status: () => ReplicaStatus
  readonly now?: () => number
}

/** Answers 503 `unavailable` until the replica was caught up once, and from then on as its world does. */
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
      // What is read is no older than the copy was before it was read.
      const stood = status()
      if (stood.isReady || request.method === 'OPTIONS') return andThen(handle(request), withLag(stood))
      const response = errorResponse(notYet(), idOf(request) ?? requestId())
      return request.method === 'HEAD' ? { status: response.status, headers: response.headers } : response
    },
  })
}

/** Rounded up, so that no answer is older than it says. */
function lagText(seconds: number): string {
  return (Math.ceil(seconds * 10) / 10).toFixed(1)
}

function notYet(): WorldFault {
  const message = 'This copy is still being made. Try again later, or ask its owner.'
  return unavailable(message, RETRY_AFTER_SECONDS)
}
