/**
 * The calls of Level 1 as functions of a world, so that a bundler keeps only those a program uses.
 */
import { apiUrl, component } from './address.ts'
import { readAgain, settingsOf, type WorldData } from './discovery.ts'
import { assertArgument, attempt } from './error.ts'
import { type Entities, entitiesIn, type WalkOptions, walk } from './pages.ts'
import {
  type ActionResult,
  DISCOVER_ACTION,
  type DiscoverInput,
  type DiscoverOutput,
  type Entity,
  type EntityList,
  isObject,
  isWellFormed,
  type JsonValue,
} from './protocol.ts'
import { type CallOptions, request } from './request.ts'
import { objectIn } from './response.ts'

/** What one page is asked with. Absent: the world's own limit; from the start. */
export interface ListInput {
  limit?: number | undefined
  cursor?: string | null | undefined
}

/** One entity (route 3). `entity_not_found` or `unknown_type` where there is none. */
export async function get(
  world: WorldData,
  type: string,
  id: string,
  options?: CallOptions,
): Promise<Entity> {
  return send(world, `entities/${component(type)}/${component(id)}`, options)
}

/** One page (route 2). A cursor goes back unchanged; `limit` is a whole number of 0 or more, else `invalid_argument`. */
export async function list(
  world: WorldData,
  type: string,
  { limit, cursor }: ListInput = {},
  options?: CallOptions,
): Promise<EntityList> {
  return page(world, type, limit, cursor, options)
}

async function page(
  world: WorldData,
  type: string,
  limit?: number,
  cursor?: string | null,
  options?: CallOptions,
  check?: (body: unknown) => void,
) {
  const query = []
  if (limit != null) query.push(`limit=${wholeNumber(limit)}`)
  if (cursor != null) {
    assertArgument(typeof cursor === 'string' && isWellFormed(cursor), { cursor })
    query.push(`cursor=${encodeURIComponent(cursor)}`)
  }
  const route = `entities/${component(type)}${query.length ? '?' : ''}${query.join('&')}`
  return send(world, route, options, (body) => {
    check?.(body)
    return objectIn<EntityList>(body)
  })
}

/**
 * All entities of a type, fetched page by page while they are used. `timeout` holds for each page; each is asked for
 * within `around`.
 */
export function entities(
  world: WorldData,
  type: string,
  { pageSize, ...caps }: WalkOptions = {},
  options?: CallOptions,
  around: (ask: (options?: CallOptions) => Promise<EntityList>) => Promise<EntityList> = (ask) =>
    ask(options),
): Entities {
  return walk((cursor, check) => {
    return around(async (options) => {
      // A page of 0 names no cursor: the walk would end at once.
      assertArgument(pageSize !== 0, { pageSize })
      return page(world, type, pageSize, cursor, options, check)
    })
  }, caps)
}

/**
 * Filter and search (route 4): the `output` object. Where another world names its list differently, the same list
 * also stands in `entities`; without any list it is `invalid_response`.
 */
export async function discover(
  world: WorldData,
  input?: DiscoverInput,
  options?: CallOptions,
): Promise<DiscoverOutput> {
  if (input?.limit != null) wholeNumber(input.limit)
  return act(world, DISCOVER_ACTION, input, options, true, (body) => {
    // Worlds without our envelope answer with the list itself.
    const { output = body } = objectIn<{ output?: unknown }>(body)
    return { ...(output as DiscoverOutput), entities: entitiesIn(output) }
  })
}

/** Any action: the whole `{ action, output, warnings? }`. Input that is no JSON object is `invalid_argument`. */
export async function action<Output = JsonValue>(
  world: WorldData,
  name: string,
  input?: object,
  options?: CallOptions,
): Promise<ActionResult<Output>> {
  const { actions } = world.document
  const safe =
    name === DISCOVER_ACTION ||
    (Array.isArray(actions) && actions.some((listed) => listed?.name === name && listed.safe === true))
  return act(world, name, input, options, safe)
}

async function act<T>(
  world: WorldData,
  name: string,
  input: object = {},
  options: CallOptions | undefined,
  safe: boolean,
  take?: (body: unknown) => T,
) {
  const body = isObject(input) && attempt(() => JSON.stringify({ input }))
  assertArgument(body, { input: 'no JSON object' })
  return send(world, `actions/${component(name)}`, options, take, body, safe)
}

/**
 * Where a call finds the API gone (410 `api_moved`, a 404 that is no protocol error, no answer), discovery is read
 * again once, past every cache: a safe call is repeated at the new `endpoints.api`.
 */
function send<T>(
  world: WorldData,
  route: string,
  options?: CallOptions,
  take: (body: unknown) => T = objectIn,
  body?: string,
  safe = true,
): Promise<T> {
  return request(
    settingsOf(world),
    {
      url: () => apiUrl(world.document.endpoints.api, route),
      body,
      safe,
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
