/**
 * The Level 1 calls as functions that take a world, so that a bundler can drop the unused ones.
 */
import { apiUrl, component } from './address.ts'
import { readAgain, settingsOf, type WorldData } from './discovery.ts'
import { assertArgument, attempt, fail, isText, WorldError } from './error.ts'
import { type Entities, type WalkOptions, walk } from './pages.ts'
import {
  type ActionResult,
  DISCOVER_ACTION,
  type DiscoverInput,
  type DiscoverOutput,
  type Entity,
  type EntityList,
  isObject,
  type JsonValue,
} from './protocol.ts'
import { entitiesIn, type WalkEnd } from './reader.ts'
import { type Call, type CallOptions, request } from './request.ts'
import { objectIn } from './response.ts'

/** Parameters of a page request. Default: the first page, with the world's own limit. */
export interface ListInput {
  limit?: number | undefined
  cursor?: string | null | undefined
}

/** Returns one entity (route 3). Fails with `entity_not_found` or `unknown_type` if it does not exist. */
export async function get(
  world: WorldData,
  type: string,
  id: string,
  options?: CallOptions,
): Promise<Entity> {
  return send(world, `entities/${component(type)}/${component(id)}`, options, (body, reader) =>
    reader && body ? reader.entity(body, type, id) : objectIn(body),
  )
}

/** Returns one page (route 2). Sends `cursor` unchanged. A negative or fractional `limit` fails with `invalid_argument`. */
export async function list(
  world: WorldData,
  type: string,
  page: ListInput = {},
  options?: CallOptions,
): Promise<EntityList> {
  return listPage(world, type, page, options)
}

async function listPage(
  world: WorldData,
  type: string,
  { limit, cursor }: ListInput,
  options?: CallOptions,
  before?: EntityList,
  check?: (page: EntityList) => void,
) {
  let route = `entities/${component(type)}`
  if (limit != null) route += `?limit=${wholeNumber(limit)}`
  if (cursor != null) {
    const sent = isText(cursor) && attempt(() => encodeURIComponent(cursor))
    assertArgument(isText(sent), { cursor })
    route += `${limit == null ? '?' : '&'}cursor=${sent}`
  }
  return send(world, route, options, async (body, reader, response) => {
    const page: EntityList = await (reader ? reader.page(body, type, before, response) : objectIn(body))
    check?.(page)
    return page
  })
}

/**
 * Returns all entities of a type as an iterable that fetches pages on demand. `timeout` applies to each page. Each request
 * runs inside `around`.
 */
export function entities(
  world: WorldData,
  type: string,
  { pageSize, maxPages = 2 ** 53, cursor: start }: WalkOptions = {},
  options?: CallOptions,
  around: <T>(ask: (options?: CallOptions) => Promise<T>) => Promise<T> = (ask) => ask(options),
): Entities {
  return walk(
    (cursor, before, count, check) =>
      around(async (options) => {
        // A page of 0 entities has no cursor, so the walk would end immediately.
        assertArgument(pageSize !== 0 && maxPages > 0, { pageSize, maxPages })
        if (count > maxPages) fail('pagination_loop', { maxPages })
        return listPage(world, type, { limit: pageSize, cursor }, options, before, check)
      }),
    start,
    async (end) => {
      await around(async (options) => {
        const doubt = settingsOf(world).reader?.doubt ?? doubtIn
        const ask = (limit?: number) => listPage(world, type, { limit }, options)
        const details = await doubt({ ...end, pageSize, ask })
        if (details)
          throw new WorldError('invalid_response', undefined, {
            status: 200,
            details,
            url: apiUrl(world.document.endpoints.api, `entities/${component(type)}`),
          })
      })
    },
  )
}

/** Returns the member names of a walk's only page if its total, size or strings suggest that more pages exist. */
async function doubtIn({
  page,
  isFirst,
  read,
  pageSize,
}: WalkEnd): Promise<Record<string, unknown> | undefined> {
  const { total, ...members } = page as Partial<EntityList>
  const isSaid = total !== undefined || 'nextCursor' in page
  const isOpen = isSaid
    ? Number(total) > read
    : read >= Number(pageSize) || Object.values(members).some(isText)
  return isFirst && isOpen ? { members: Object.keys(page) } : undefined
}

/**
 * Filters and searches (route 4). Returns the `output` object, or fails with `invalid_response` if it has no entity list.
 */
export async function discover(
  world: WorldData,
  input?: DiscoverInput,
  options?: CallOptions,
): Promise<DiscoverOutput> {
  if (input?.limit != null) wholeNumber(input.limit)
  return act(world, DISCOVER_ACTION, input, options, true, (body, reader) =>
    reader ? reader.output(body, input?.types) : entitiesIn(Object(body).output),
  )
}

/**
 * Calls any action. Returns `{ action, output, warnings? }`, with `job` in place of `output` if the call began a job. Fails
 * with `invalid_argument` if `input` is not an object. The call is retried if the action is safe or accepts an
 * `Idempotency-Key`.
 */
export async function action<Output = JsonValue>(
  world: WorldData,
  name: string,
  input?: object,
  options?: CallOptions,
): Promise<ActionResult<Output>> {
  // The document is unchecked: `actions` may have any type.
  const listed = [world.document.actions].flat().find((listed) => listed?.name === name)
  const safe = name === DISCOVER_ACTION || listed?.safe === true
  // Unsafe calls are retried only if the action declares `idempotencyKey`: another action may ignore the key.
  const isKeyed = listed?.idempotencyKey === true
  const key = options?.idempotencyKey ?? (isKeyed && `${Math.random()}`)
  return act(world, name, input, options, safe || isKeyed, undefined, key ? { 'idempotency-key': key } : {})
}

async function act<T>(
  world: WorldData,
  name: string,
  input: object = {},
  options: CallOptions | undefined,
  safe: boolean,
  take?: Call<T>['take'],
  headers?: Call<T>['headers'],
) {
  const body = isObject(input) && attempt(() => JSON.stringify({ input }))
  assertArgument(body, { input: 'no JSON object' })
  return send(world, `actions/${component(name)}`, options, take, body, safe, headers)
}

/**
 * Calls an API route and requests JSON. If the API is gone (410 `api_moved`, a 404 without a protocol error, or no
 * response), rereads the discovery document once, bypassing caches. Repeats a safe call if `endpoints.api` has changed.
 */
export function send<T>(
  world: WorldData,
  route: string,
  options?: CallOptions,
  take: Call<T>['take'] = objectIn,
  body?: string,
  safe = true,
  headers?: Call<T>['headers'],
): Promise<T> {
  return request(
    settingsOf(world),
    {
      url: () => apiUrl(world.document.endpoints.api, route),
      body,
      safe,
      headers,
      take,
      ask: (limits) => readAgain(world, limits, { cache: 'no-store' }),
    },
    options,
  )
}

function wholeNumber(limit: number): number {
  assertArgument(Number.isSafeInteger(limit) && limit >= 0, { limit })
  return limit
}
