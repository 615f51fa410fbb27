/** Action route: parses the input of a call, and enforces the action's timeout and concurrency limit. */
import { isObject, type JsonObject, type JsonValue, type Warning } from '@worldwright/client/protocol'
import type { MaybePromise } from '../store/contract.ts'
import type { Action, ActionAnswer, Actions, Caller, EntityWrites, ReadTypes } from '../world/action.ts'
import { type ErrorCode, fieldsFault, WorldFault } from '../world/errors.ts'
import { ACTION_TIMEOUT_MS, MAX_REQUEST_BYTES } from '../world/limits.ts'
import type { World } from '../world/world.ts'
import { readJson } from './body.ts'
import type { LateFailure, Route, WorldRequest, WorldResponse } from './http.ts'
import { component, type Operation, OWN_CODES } from './operation.ts'
import { AFTER_HEADER } from './read-after.ts'
import { idOf } from './request-id.ts'
import { unavailable } from './unavailable.ts'

/** Actions of a world, with the services that a call needs. */
export interface ActionHost {
  readonly actions: Actions
  readonly writes: EntityWrites | undefined
  callerOf(request: WorldRequest): Promise<Caller | undefined>
  /** @throws WorldFault `unauthenticated`, `forbidden` */
  admitCall(request: WorldRequest, action: Action['description']): Promise<void>
  readonly admit: ((request: WorldRequest, reads: () => ReadTypes) => MaybePromise<void>) | undefined
}

/** Dependencies of the action route. */
export interface ActionRouteOptions {
  readonly world: World
  /** Returns the host. Called lazily, because routes are created before all extensions are mounted. */
  readonly host: () => ActionHost
  /** Path of the API on this host, without a trailing slash. */
  readonly apiPath: string
}

/** Error codes assumed for an action that declares none: those of reads, and any code of its own. */
const HANDLER_ERRORS = ['invalid_type', 'unknown_type', 'invalid_id', OWN_CODES] as const

/** Operation `POST actions/{action}`, without what depends on the action. */
const CALL: Omit<Operation, 'parameters' | 'answers' | 'errors'> = {
  id: 'call',
  summary: 'Call an action',
  body: { 'application/json': component('ActionCall') },
}

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Calls of one caller with the same key take effect once.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
}

const ANSWERS = {
  200: { description: 'What it came to.', content: { 'application/json': component('ActionResult') } },
}
const JOB_ANSWERS = {
  ...ANSWERS,
  202: {
    description: 'It has become a job, at `Location`.',
    content: { 'application/json': { type: 'object' } },
  },
}

const CALL_ERRORS = ['invalid_input', 'action_timeout'] as const
const KEY_ERRORS = ['invalid_parameter', 'idempotency_in_progress', 'idempotency_mismatch'] as const

/** `Retry-After` of a call refused by the concurrency limit, in seconds. */
const RETRY_AFTER_SECONDS = 1

/** Action route, with the description of its only method. */
export interface ActionRoute extends Route {
  readonly operations: { readonly POST: Operation }
}

/** Creates the route `POST {api}/actions/{action}` (Level 1, endpoint 4; decisions 4). */
export function actionRoute(options: ActionRouteOptions): ActionRoute {
  const { world, host, apiPath } = options
  const running = new Map<Action, number>()

  const isUnsafe = (name: string) => host().actions.get(name)?.description.safe === false
  const parametersOf = (name: string) => (isUnsafe(name) ? [KEY] : [])
  const answersOf = (name: string) => (isUnsafe(name) ? JOB_ANSWERS : ANSWERS)
  const errorsOf = (name: string): ErrorCode[] => [
    ...CALL_ERRORS,
    ...(isUnsafe(name) ? KEY_ERRORS : []),
    ...(host().actions.get(name)?.errors ?? HANDLER_ERRORS),
  ]

  async function call(
    action: Action,
    request: WorldRequest,
    { input, isPreview }: Body,
    failed: LateFailure,
  ): Promise<ActionAnswer> {
    if (action.description.safe) await host().admit?.(request, () => action.reads?.(input, world))
    const count = running.get(action) ?? 0
    if (count >= (action.maxRunning ?? Number.POSITIVE_INFINITY)) throw tooManyCalls()
    running.set(action, count + 1)
    try {
      const { timeoutMs = ACTION_TIMEOUT_MS } = action
      const position = request.headers[AFTER_HEADER]
      const deadline = new Date(Date.now() + timeoutMs)
      return await withinTime(request.signal, timeoutMs, (signal) =>
        action.call(input, {
          world,
          signal,
          deadline,
          requestId: idOf(request),
          client: request.client,
          position,
          writes: host().writes,
          idempotencyKey: keyOf(request, action, host().writes),
          isPreview,
          failed,
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
    // Admission is deferred until the input is parsed, because the input determines which types a call reads.
    reads: () => [],
    operations: { POST: { ...CALL, parameters: parametersOf, answers: answersOf, errors: errorsOf } },
    methods: {
      async POST(request, { action: name = '' }, failed) {
        const action = host().actions.get(name)
        if (action === undefined) {
          const message = 'This world has no such action; discovery lists those it has.'
          throw new WorldFault('unknown_action', message, { action: name.toWellFormed() })
        }
        await host().admitCall(request, action.description)
        const body = bodyOf(await readJson(request, MAX_REQUEST_BYTES), action)
        return answered(name, await call(action, request, body, failed), body, apiPath)
      },
    },
  }
}

/** Returns the response: 200 with the output, or 202 with the path of the job. */
function answered(name: string, answer: ActionAnswer, { isPreview }: Body, apiPath: string): WorldResponse {
  const { job } = answer
  const path = `${apiPath}/jobs/${job}`
  const result = job === undefined ? `"output":${answer.output}` : `"job":${JSON.stringify(path)}`
  const preview = isPreview ? ',"preview":true' : ''
  return {
    status: job === undefined ? 200 : 202,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(job !== undefined && { location: path }),
    },
    body: `{"action":${JSON.stringify(name)},${result}${preview}${warningsJson(answer.warnings)}}`,
  }
}

function tooManyCalls(): WorldFault {
  const message = 'This action is called too often at the moment. Try again later.'
  return unavailable(message, RETRY_AFTER_SECONDS)
}

function warningsJson(warnings: readonly Warning[]): string {
  return warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`
}

interface Body {
  readonly input: JsonObject
  readonly isPreview: boolean
}

/**
 * Reads the request body of an action (Level 1, discover action input). A preview of a safe action is an ordinary call.
 * @throws WorldFault `invalid_input`
 */
function bodyOf(body: JsonValue, { description: { safe, preview: hasPreview } }: Action): Body {
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
  const preview = Object.hasOwn(body, 'preview') ? body['preview'] : false
  if (!safe && preview !== false && (preview !== true || !hasPreview)) {
    throw fieldsFault('invalid_input', 'The member "preview" is false, or true if the action has previews.', [
      { in: 'body', pointer: '/preview', reason: preview === true ? 'not_allowed' : 'wrong_type' },
    ])
  }
  return { input, isPreview: !safe && preview === true }
}

/**
 * Returns the `Idempotency-Key` of an unsafe call.
 * @throws WorldFault `invalid_parameter` if it is malformed, or if the action or the world cannot honour it
 */
function keyOf(
  { headers }: WorldRequest,
  { description: { safe, idempotencyKey: hasKeys } }: Action,
  writes: EntityWrites | undefined,
): string | undefined {
  const key = headers['idempotency-key']
  if (safe || key === undefined) return undefined
  const isAllowed = hasKeys === true && writes !== undefined
  if (isAllowed && /^[!-~]{1,255}$/.test(key)) return key
  const message = isAllowed
    ? 'A key has 1 to 255 visible ASCII characters.'
    : 'This world keeps no answers of this action.'
  throw fieldsFault('invalid_parameter', message, [
    { in: 'header', name: 'Idempotency-Key', reason: isAllowed ? 'malformed' : 'not_allowed' },
  ])
}

/**
 * Runs `work` with a signal that aborts if the client disconnects or the time limit expires. Does not wait for work that
 * ignores the signal.
 * @throws WorldFault `action_timeout` if the time limit expires; the abort reason of `left` if the client disconnects
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
    // Node.js keeps a composite signal alive as long as it has a listener.
    signal.removeEventListener('abort', end)
  }
}
