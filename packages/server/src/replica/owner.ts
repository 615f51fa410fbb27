/** The world that is followed: what a copy asks of its owner, over the protocol and `worldwright:changes`. */
import { connect, type DiscoveryDocument, type Fetch, type World, WorldError } from '@worldwright/client'
import { isObject, type JsonObject } from '@worldwright/client/protocol'
import type { EntityKey, FollowedChange, IndexRules, Position } from '../storage/contract.ts'
import type { SynonymRule } from '../storage/search-synonyms.ts'
import { changeFrom } from './change-from.ts'
import type { OwnerDescription } from './kept-owner.ts'
import { serverSentEvents } from './server-sent-events.ts'

/** The extension that makes a world one that can be followed. */
export const CHANGES_EXTENSION = 'worldwright:changes'

/** How the owner of a world is reached. */
export interface OwnerOptions {
  /** Where the world is found; `https://host[:port]`. */
  readonly origin: string
  /** For a private world, a token that may read all of it. Sent to its API alone. */
  readonly token?: string | undefined
  /** Sends the requests in place of the runtime's own. */
  readonly fetch?: Fetch | undefined
  /** Ends every request when it is aborted. */
  readonly signal: AbortSignal
}

/** One page of changes, as a store can take them. */
export interface OwnerPage {
  readonly changes: readonly FollowedChange[]
  /** Entities that the owner has, and cannot give, since they are damaged there. */
  readonly damaged: readonly EntityKey[]
  readonly next: string
  readonly more: boolean
  readonly position: Position
  readonly earliest: Position
  /** Empty while there is more. */
  readonly versions: ReadonlyMap<string, string>
}

/** Changes of one page: the most that worlds give. */
const PAGE_LIMIT = 1_000

/** Milliseconds until a page has to be there as a whole. */
const PAGE_TIMEOUT_MS = 60_000

/** Milliseconds without a byte after which an event stream counts as broken: three of its heartbeats. */
const SILENCE_MS = 45_000

const EVENT_STREAM = 'text/event-stream'

/** A world that answered, and declares its changes. Its calls fail with `WorldError`. */
export class Owner {
  readonly #options: OwnerOptions
  #world: World

  private constructor(options: OwnerOptions, world: World) {
    this.#options = options
    this.#world = world
  }

  /**
   * Reads the discovery document of an origin.
   * @throws WorldError as `connect`; `world_mismatch` for another world than this one, `not_followable` without the extension
   */
  static async connect(options: OwnerOptions, worldId: string | undefined): Promise<Owner> {
    return new Owner(options, await connectTo(options, worldId))
  }

  /** Reads the discovery document again. @throws WorldError as `connect` */
  async refresh(): Promise<void> {
    this.#world = await connectTo(this.#options, this.#world.id)
  }

  /** The world's description, as read last. */
  get description(): OwnerDescription {
    return descriptionFrom(this.#world.document)
  }

  /** Whether changes are announced as they happen. */
  get announces(): boolean {
    const { formats } = extensionOf(this.#world.document)
    return Array.isArray(formats) && formats.includes(EVENT_STREAM)
  }

  /**
   * The next changes, with their entities; without `since` from the beginning. With `nameDamaged`, what is damaged is named, in
   * place of being an error.
   */
  async page(since: string | undefined, nameDamaged: boolean): Promise<OwnerPage> {
    const timeout = AbortSignal.timeout(PAGE_TIMEOUT_MS)
    const query = `limit=${PAGE_LIMIT}&entities=true${nameDamaged ? '&damaged=named' : ''}${sinceParameter(since)}`
    const { url, response } = await this.#get(query, 'application/json', timeout)
    return pageFrom(await bodyOf(response, url), url)
  }

  /**
   * Positions as the world reaches them, after a token; undefined as a sign of life, empty if an event names none.
   * Ends when the world ends it.
   * @throws WorldError where it cannot be opened, breaks, or is silent
   */
  async *positions(since: string): AsyncGenerator<Position | undefined> {
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(new Error('The event stream is silent.')), SILENCE_MS)
    try {
      const { url, response } = await this.#get(sinceParameter(since).slice(1), EVENT_STREAM, silence.signal)
      try {
        for await (const event of serverSentEvents(response.body ?? [])) {
          timer.refresh()
          if (event?.name === 'goodbye' || event?.name === 'expired') return
          yield event && (positionOfEvent(event.data) ?? '')
        }
      } catch (cause) {
        throw new WorldError('network_error', 'The event stream broke.', { url, cause })
      }
    } finally {
      clearTimeout(timer)
      silence.abort()
    }
  }

  async #get(query: string, accept: string, ending: AbortSignal) {
    const { document } = this.#world
    const { fetch = globalThis.fetch as Fetch, token, signal } = this.#options
    const api = document.endpoints.api
    const url = `${api}${api.endsWith('/') ? '' : '/'}${extensionOf(document)['path'] ?? 'changes'}?${query}`
    const headers = {
      accept,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      // On one machine, compressing takes longer than sending.
      ...(isLoopback(url) && { 'accept-encoding': 'identity' }),
    }
    // A redirect could lead the token elsewhere: an API that moves says so in discovery.
    const init: RequestInit = { headers, redirect: 'error', signal: AbortSignal.any([signal, ending]) }
    const response = await fetch(url, init).catch((cause) => {
      throw new WorldError('network_error', `${url} does not answer.`, { url, cause })
    })
    if (response.ok) return { url, response }
    throw errorFrom(await response.json().catch(() => undefined), response, url)
  }
}

async function connectTo(
  { origin, token, fetch, signal }: OwnerOptions,
  worldId: string | undefined,
): Promise<World> {
  const world = await connect(origin, { token, fetch, signal, expectWorldId: worldId, retries: 0 })
  const { id, document } = world
  if (id === undefined || !isObject(document.extensions?.[CHANGES_EXTENSION]))
    throw new WorldError('not_followable', `The world at ${origin} does not say what changes in it.`)
  return world
}

function extensionOf({ extensions }: DiscoveryDocument): JsonObject {
  return extensions?.[CHANGES_EXTENSION] ?? {}
}

function descriptionFrom(document: DiscoveryDocument): OwnerDescription {
  const { world = {}, entityTypes = [], authentication } = document
  const { id = '', name, description, license, attribution } = world
  const { indexRules, searchSynonyms } = extensionOf(document)
  return {
    id,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(license !== undefined && { license }),
    ...(attribution !== undefined && { attribution }),
    entityTypes,
    indexRules: (isObject(indexRules) ? indexRules : {}) as IndexRules,
    searchSynonyms: Array.isArray(searchSynonyms) ? (searchSynonyms as unknown[]).filter(isSynonymRule) : [],
    isPrivate: authentication?.required === true,
  }
}

function isSynonymRule(value: unknown): value is SynonymRule {
  const isTexts = (texts: unknown) => Array.isArray(texts) && texts.every((text) => typeof text === 'string')
  return isObject(value) && isTexts(value['from']) && isTexts(value['to'])
}

function sinceParameter(since: string | undefined): string {
  return since === undefined ? '' : `&since=${encodeURIComponent(since)}`
}

function isLoopback(url: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

async function bodyOf(response: Response, url: string): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    throw new WorldError('network_error', 'A page of changes broke off.', { url, cause })
  }
}

function keyFrom(value: unknown, url: string): EntityKey {
  const { type, id } = isObject(value) ? value : {}
  if (typeof type === 'string' && typeof id === 'string') return { type, id }
  throw new WorldError('invalid_response', 'What is damaged is not named as it should be.', { url })
}

function pageFrom(body: unknown, url: string): OwnerPage {
  const { changes, damaged = [], next, more, position, earliest, versions = {} } = isObject(body) ? body : {}
  const isPage =
    Array.isArray(changes) &&
    Array.isArray(damaged) &&
    typeof next === 'string' &&
    typeof more === 'boolean' &&
    typeof position === 'string' &&
    typeof earliest === 'string' &&
    isObject(versions) &&
    Object.values(versions).every((version) => typeof version === 'string')
  if (!isPage) throw new WorldError('invalid_response', 'This is no page of changes.', { url })
  return {
    changes: changes.map((change) => changeFrom(change, url)),
    damaged: damaged.map((key) => keyFrom(key, url)),
    next,
    more,
    position,
    earliest,
    versions: new Map(Object.entries(versions as Record<string, string>)),
  }
}

function positionOfEvent(data: string): Position | undefined {
  try {
    const body: unknown = JSON.parse(data)
    return isObject(body) && typeof body['position'] === 'string' ? body['position'] : undefined
  } catch {
    return undefined
  }
}

function errorFrom(body: unknown, { status, headers }: Response, url: string): WorldError {
  const { code, message, details } = isObject(body) ? body : {}
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return new WorldError(
    typeof code === 'string' ? code : `http_${status}`,
    typeof message === 'string' ? message : `${url} answers ${status}.`,
    {
      status,
      url,
      ...(isObject(details) && { details }),
      ...(seconds >= 0 && { retryAfter: seconds }),
    },
  )
}
