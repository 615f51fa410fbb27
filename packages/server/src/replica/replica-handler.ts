/** The handler of a copy: that of its world, once it is there, with how far it is behind. */
import { andThen } from '../handler/and-then.ts'
import { errorResponse } from '../handler/error-response.ts'
import type { WorldHandler } from '../handler/handler.ts'
import type { Route, WorldResponse } from '../handler/http.ts'
import { createRequestIds } from '../handler/request-id.ts'
import { WorldFault } from '../world/errors.ts'
import { lagSeconds, type ReplicaStatus } from './status.ts'

/** On every answer: seconds that it may be behind the owner, with one decimal. */
export const LAG_HEADER = 'worldwright-lag'

const RETRY_AFTER_SECONDS = 1

/** Answers 503 `unavailable` until the copy was caught up once, and from then on as the handler does. */
export function createReplicaHandler(
  handler: WorldHandler,
  status: () => ReplicaStatus,
  now: () => number = Date.now,
): WorldHandler {
  const requestId = createRequestIds()
  const withLag =
    (stood: ReplicaStatus) =>
    ({ headers, ...response }: WorldResponse): WorldResponse => ({
      ...response,
      headers: { ...headers, [LAG_HEADER]: lagText(lagSeconds(stood, now())) },
    })
  return {
    ...handler,
    handle(request) {
      // What is read is no older than the copy was before it was read.
      const stood = status()
      if (stood.isReady || request.method === 'OPTIONS')
        return andThen(handler.handle(request), withLag(stood))
      const response = errorResponse(notYet(), requestId(request.headers['request-id']))
      return request.method === 'HEAD' ? { status: response.status, headers: response.headers } : response
    },
  }
}

/** Routes of the owner alone, at a copy: 421 `not_the_owner`, with the owner's origin, for every method they have. */
export function ownerRoutes(routes: readonly Route[], owner: string): Route[] {
  const refuse = () => {
    throw new WorldFault('not_the_owner', `This is a copy. Ask its owner: ${owner}`, { owner })
  }
  return routes.map(({ path, methods }) => ({
    path,
    open: true,
    methods: Object.fromEntries(Object.keys(methods).map((method) => [method, refuse])),
  }))
}

/** Rounded up, so that no answer is older than it says. */
function lagText(seconds: number): string {
  return (Math.ceil(seconds * 10) / 10).toFixed(1)
}

function notYet(): WorldFault {
  return new WorldFault(
    'unavailable',
    'This copy is still being made. Try again later, or ask its owner.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
    { 'retry-after': String(RETRY_AFTER_SECONDS) },
  )
}
