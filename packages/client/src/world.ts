/**
 * One world, as an application uses it.
 */
import { apiUrl, component } from './address.ts'
import { discover, type Found } from './discovery.ts'
import { need, WorldError } from './error.ts'
import { type Entities, entitiesIn, type ListPage, walk } from './pages.ts'
import {
  type ActionResult,
  DISCOVER_ACTION,
  type DiscoverInput,
  type DiscoverOutput,
  type DiscoveryDocument,
  type Entity,
  type EntityList,
  isWellFormed,
  type JsonValue,
} from './protocol.ts'
import { type CallOptions, request, type Settings } from './request.ts'
import { isObject } from './response.ts'

/**
 * A world that answered. Every call rejects with a `WorldError` and nothing else; bodies come back as received, with
 * members this client does not know. `get`, `list`, `entities` and `discover` are retried; an action is where the
 * discovery document calls it `safe`.
 */
export interface World {
  /** Scheme, host and port, as `connect` was given them. */
  readonly origin: string
  /** The discovery document, unknown members included; replaced when the API is found to have moved. */
  readonly document: DiscoveryDocument
  /** `world.id` of the document; absent where it has none. It never changes. */
  readonly id: string | undefined
  /** One entity (route 3). `entity_not_found` or `unknown_type` where there is none. */
  get(type: string, id: string, options?: CallOptions): Promise<Entity>
  /** One page (route 2). A cursor goes back unchanged; `limit` is a whole number of 0 or more, else `invalid_argument`. */
  list(type: string, page?: ListInput, options?: CallOptions): Promise<EntityList>
  /** All entities of a type, fetched page by page while they are used. `timeout` holds for each page. */
  entities(type: string, walk?: { pageSize?: number | undefined }, options?: CallOptions): Entities
  /**
   * Filter and search (route 4): the `output` object. Where another world names its list differently, the same list
   * also stands in `entities`; without any list it is `invalid_response`.
   */
  discover(input?: DiscoverInput, options?: CallOptions): Promise<DiscoverOutput>
  /** Any action: the whole `{ action, output, warnings? }`. Input that is no JSON object is `invalid_argument`. */
  action<Output = JsonValue>(
    name: string,
    input?: object,
    options?: CallOptions,
  ): Promise<ActionResult<Output>>
}

/** What one page is asked with. Absent: the world's own limit; from the start. */
export interface ListInput {
  limit?: number | undefined
  cursor?: string | null | undefined
}

const MAX_BODY_BYTES = 2 ** 24

/**
 * The calls of a world whose document is at hand. Where a call finds the API gone (410 `api_moved`, a 404 that is no
 * protocol error, no answer), discovery is fetched again once, past every cache: a safe call is repeated at the new
 * `endpoints.api`; another `world.id` is `world_mismatch`.
 */
export function createWorld(origin: string, settings: Settings, found: Found): World {
  let current = found

  const send = <T>(
    route: string,
    options?: CallOptions,
    take: Take<T> = objectIn,
    body?: string,
    safe = true,
  ) => {
    const url = () => apiUrl(current.api, route)
    const moved = async (failed: string, signal: AbortSignal) => {
      // Another call may have found the new place meanwhile.
      if (url() === failed)
        current = await discover(origin, { ...settings, retries: 0 }, { signal }, found.id, true)
      return url() !== failed
    }
    return request(settings, { url, body, safe, maxBytes: MAX_BODY_BYTES, take, moved }, options)
  }

  const list = async (
    type: string,
    { limit, cursor }: ListInput,
    options?: CallOptions,
    check?: (body: unknown) => void,
  ) => {
    const query = []
    if (limit != null) query.push(`limit=${wholeNumber(limit, 0)}`)
    if (cursor != null) query.push(`cursor=${encodeCursor(cursor)}`)
    const route = `entities/${component('type', type)}${query.length ? '?' : ''}${query.join('&')}`
    return send(route, options, (body) => {
      check?.(body)
      return objectIn<EntityList>(body)
    })
  }

  const act = async <T>(name: string, input: object = {}, options?: CallOptions, take?: Take<T>) => {
    const route = `actions/${component('action', name)}`
    return send(route, options, take, bodyOf(input), isSafe(name, current.document))
  }

  return {
    origin,
    id: found.id,
    get document() {
      return current.document
    },
    async get(type, id, options) {
      return send(`entities/${component('type', type)}/${component('id', id)}`, options)
    },
    list: (type, page = {}, options) => list(type, page, options),
    entities(type, { pageSize } = {}, options) {
      // A page of 0 names no cursor: the walk would end at once.
      const page: ListPage = async (cursor, check) =>
        list(type, { limit: pageSize == null ? pageSize : wholeNumber(pageSize, 1), cursor }, options, check)
      return walk(page)
    },
    async discover(input, options) {
      if (input?.limit != null) wholeNumber(input.limit, 0)
      return act(DISCOVER_ACTION, input, options, outputIn)
    },
    action: (name, input, options) => act(name, input, options),
  }
}

type Take<T> = (body: unknown) => T

function objectIn<T>(body: unknown): T {
  if (isObject(body)) return body as T
  throw new WorldError('invalid_response', 'The answer is no JSON object.')
}

/** Worlds without our envelope answer with the list itself. */
function outputIn(body: unknown): DiscoverOutput {
  const { output = body } = objectIn<{ output?: unknown }>(body)
  return { ...(output as DiscoverOutput), entities: entitiesIn(output) }
}

function isSafe(name: string, { actions }: DiscoveryDocument): boolean {
  return (
    name === DISCOVER_ACTION ||
    (Array.isArray(actions) && actions.some((a) => a?.name === name && a.safe === true))
  )
}

function wholeNumber(value: number, least: number): number {
  need(Number.isSafeInteger(value) && value >= least, `A limit is a whole number of ${least} or more.`)
  return value
}

function encodeCursor(cursor: string): string {
  need(typeof cursor === 'string' && isWellFormed(cursor), 'A cursor is a string a list gave.')
  return encodeURIComponent(cursor)
}

function bodyOf(input: object): string {
  let body: string | undefined
  let cause: unknown
  try {
    if (isObject(input)) body = JSON.stringify({ input })
  } catch (error) {
    cause = error
  }
  need(body, 'The input of an action is a JSON object.', { cause })
  return body
}
