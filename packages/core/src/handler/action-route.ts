/** The route of actions: parses the input of a call, and enforces the action's time limit and concurrency limit. */
import { isObject, type JsonObject, type JsonValue, type Warning } from '@worldwright/client/protocol'
import type { MaybePromise } from '../store/contract.ts'
import type { Action, ActionAnswer, Actions, Caller, EntityWrites, ReadTypes } from '../world/action.ts'
import { fieldsFault, WorldFault } from '../world/errors.ts'
import { ACTION_TIMEOUT_MS, MAX_REQUEST_BYTES } from '../world/limits.ts'
import type { World } from '../world/world.ts'
import { readJson } from './body.ts'
import type { Route, WorldRequest } from './http.ts'
import { component, type Operation, OWN_CODES } from './operation.ts'
import { AFTER_HEADER } from './read-after.ts'
import { unavailable } from './unavailable.ts'

/** Actions of a world, with everything that a call needs. */
export interface ActionHost {
  readonly actions: Actions
  readonly writes: EntityWrites | undefined
  callerOf(request: WorldRequest): Promise<Caller | undefined>
  /** @throws WorldFault `unauthenticated`, `forbidden` */
  admitCall(request: WorldRequest, action: Action['description']): Promise<void>
  readonly admit: ((request: WorldRequest, reads: () => ReadTypes) => MaybePromise<void>) | undefined
}

/** Dependencies of the route that calls actions. */
export interface ActionRouteOptions {
  readonly world: World
  /** Called per request: routes are created before all extensions are mounted. */
  readonly host: () => ActionHost
  /** The path of the API on this host, without a trailing slash. */
  readonly apiPath: string
}

/** Errors of an action that declares none: those of reading the world, and any code of its own. */
const HANDLER_ERRORS = ['invalid_type', 'unknown_type', 'invalid_id', OWN_CODES] as const

/** `POST actions/{action}`. */
const CALL: Omit<Operation, 'errors'> = {
  id: 'call',
  summary: 'Call an action',
  body: { 'application/json': component('ActionCall') },
  answers: {
    200: { description: 'What it came to.', content: { 'application/json': component('ActionResult') } },
  },
}

/** Error codes that a call of any action may return. */
const CALL_ERRORS = ['invalid_input', 'action_timeout'] as const

/** `Retry-After` of a call that the concurrency limit refuses, in seconds. */
const RETRY_AFTER_SECONDS = 1

/** Route that calls an action, with its single operation. */
export interface ActionRoute extends Route {
  readonly operations: { readonly POST: Operation }
}

/** `POST {api}/actions/{action}` (Level 1, endpoint 4; decisions 4). */
export function actionRoute(options: ActionRouteOptions): ActionRoute {
  const { world, host, apiPath } = options
  const running = new Map<Action, number>()

  const errorsOf = (name: string) => host().actions.get(name)?.errors ?? HANDLER_ERRORS

  async function call(action: Action, request: WorldRequest): Promise<ActionAnswer> {
    const input = inputOf(await readJson(request, MAX_REQUEST_BYTES))
    if (action.description.safe) await host().admit?.(request, () => action.reads?.(input, world))
    const count = running.get(action) ?? 0
    if (count >= (action.maxRunning ?? Number.POSITIVE_INFINITY)) throw tooManyCalls()
    running.set(action, count + 1)
    try {
      const { timeoutMs = ACTION_TIMEOUT_MS } = action
      const position = request.headers[AFTER_HEADER]
      return await withinTime(request.signal, timeoutMs, (signal) =>
        action.call(input, {
          world,
          signal,
          client: request.client,
          position,
          writes: host().writes,
          caller: () => host().callerOf(request),
        }),
      )
    } finally {
      running.set(action, (running.get(action) ?? 1) - 1)
    }
  }

  return {
    path: `${apiPath}/actions/{action}`,
    lane: 'search',
    // Admission happens once the input is known: the input decides which types a call reads.
    reads: () => [],
    operations: { POST: { ...CALL, errors: (name) => [...CALL_ERRORS, ...errorsOf(name)] } },
    methods: {
      async POST(request, { action: name = '' }) {
        const action = host().actions.get(name)
        if (action === undefined) {
          const message = 'This world has no such action; discovery lists those it has.'
          throw new WorldFault('unknown_action', message, { action: name.toWellFormed() })
        }
        await host().admitCall(request, action.description)
        const { output, warnings } = await call(action, request)
        return {
          status: 200,
          headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
          body: `{"action":${JSON.stringify(name)},"output":${output}${warningsJson(warnings)}}`,
        }
      },
    },
  }
}

function tooManyCalls(): WorldFault {
  const message = 'This action is called too often at the moment. Try again later.'
  return unavailable(message, RETRY_AFTER_SECONDS)
}

function warningsJson(warnings: readonly Warning[]): string {
  return warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`
}

/**
 * Returns the `input` object of an action's request body (Level 1, discover action input).
 * @throws WorldFault `invalid_input`
 */
function inputOf(body: JsonValue): JsonObject {
  if (!isObject(body)) {
    throw fieldsFault('invalid_input', 'The request body must be an object with the member "input".', [
      { in: 'body', pointer: '', reason: 'wrong_type' },
    ])
  }
  const input = Object.hasOwn(body, 'input') ? body['input'] : undefined
  if (input === undefined || !isObject(input)) {
    throw fieldsFault('invalid_input', 'The member "input" must be there and be an object.', [
      { in: 'body', pointer: '/input', reason: input === undefined ? 'required' : 'wrong_type' },
    ])
  }
  return input
}

/**
 * Runs work with a signal that aborts when the client disconnects or the time is over. Does not wait for work that
 * ignores the signal.
 * @throws WorldFault `action_timeout`; the reason of `left` if that is aborted
 */
async function withinTime<T>(
  left: AbortSignal | undefined,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const signal = left === undefined ? late.signal : AbortSignal.any([late.signal, left])
  const ended = Promise.withResolvers<never>()
  const end = () => ended.reject(signal.reason)
  signal.addEventListener('abort', end)
  const timer = setTimeout(() => {
    const seconds = timeoutMs / 1_000
    const message = `The action gave no answer within ${seconds} s.`
    late.abort(new WorldFault('action_timeout', message, { seconds }))
  }, timeoutMs)
  try {
    signal.throwIfAborted()
    return await Promise.race([ended.promise, work(signal)])
  } finally {
    clearTimeout(timer)
    // Node.js keeps a composite signal alive for as long as it has a listener.
    signal.removeEventListener('abort', end)
  }
}
