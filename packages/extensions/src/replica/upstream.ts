/** The upstream of a replica: its requests over the protocol and `worldwright:changes`. */
import { connect, type DiscoveryDocument, type Fetch, type World, WorldError } from '@worldwright/client'
import { type Change, type ChangesPage, changesPage, positions } from '@worldwright/client/changes'
import { isObject, type JsonObject } from '@worldwright/client/protocol'
import type { FollowedChange, IndexRules, Position, SynonymRule } from '@worldwright/core/store'
import type { UpstreamDescription } from './kept-upstream.ts'

/** The extension that makes a world followable. */
export const CHANGES_EXTENSION = 'worldwright:changes'

/** Options of the connection to an upstream. */
export interface UpstreamOptions {
  /** Origin of the world: `https://host[:port]`. */
  readonly origin: string
  /** For a private world, a token that may read all of it. Sent only to its API. */
  readonly token?: string | undefined
  /** Further origins at which the API may receive the token, beside the world's own. */
  readonly tokenOrigins?: readonly string[] | undefined
  /** Sends the requests in place of the runtime's own `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Aborts every request. */
  readonly signal: AbortSignal
}

/** A page of changes with the position and retention that a store must know. */
export type UpstreamPage = ChangesPage & { readonly position: Position; readonly earliest: Position }

/** Timeout of a whole answer and of silence within it, in milliseconds: pages are large. */
const TIMEOUT_MS = 60_000
const SILENCE_MS = 30_000

const EVENT_STREAM = 'text/event-stream'

/** A connected world that declares its changes. Its calls throw `WorldError`. */
export class Upstream {
  readonly #options: UpstreamOptions
  #world: World

  private constructor(options: UpstreamOptions, world: World) {
    this.#options = options
    this.#world = world
  }

  /**
   * Reads the discovery document of an origin.
   * @throws WorldError as `connect`; `world_mismatch` for another world than this one, `not_followable` without the extension
   */
  static async connect(options: UpstreamOptions, worldId: string | undefined): Promise<Upstream> {
    return new Upstream(options, await connectTo(options, worldId))
  }

  /** Reads the discovery document again. @throws WorldError as `connect` */
  async refresh(): Promise<void> {
    this.#world = await connectTo(this.#options, this.#world.id)
  }

  /** The world's description, as last read. */
  get description(): UpstreamDescription {
    return descriptionFrom(this.#world.document)
  }

  /** True if changes are announced as they happen. */
  get announces(): boolean {
    const { formats } = extensionOf(this.#world.document)
    return Array.isArray(formats) && formats.includes(EVENT_STREAM)
  }

  /**
   * Returns the next changes, with their entities; without `since` from the beginning. With `nameDamaged`, damaged entities are
   * named instead of being an error.
   */
  async page(since: string | undefined, nameDamaged: boolean): Promise<UpstreamPage> {
    const { signal } = this.#options
    const page = await changesPage(this.#world, { since, entities: true, nameDamaged, signal })
    return wholePage(page, this.#world.origin)
  }

  /** Yields positions as the world reaches them, like `positions` of the client. */
  positions(since: string): AsyncIterable<Position | undefined> {
    return positions(this.#world, { since, signal: this.#options.signal })
  }
}

async function connectTo(
  { origin, token, tokenOrigins, fetch, signal }: UpstreamOptions,
  worldId: string | undefined,
): Promise<World> {
  const world = await connect(origin, {
    token,
    tokenOrigins,
    fetch,
    signal,
    expectWorldId: worldId,
    retries: 0,
    timeout: TIMEOUT_MS,
    attemptTimeout: SILENCE_MS,
    // Over loopback, compressing takes longer than sending.
    ...(isLoopback(origin) && { headers: { 'accept-encoding': 'identity' } }),
  })
  const { id, document } = world
  if (id === undefined || !isObject(document.extensions?.[CHANGES_EXTENSION]))
    throw new WorldError('not_followable', `The world at ${origin} does not say what changes in it.`)
  return world
}

function extensionOf({ extensions }: DiscoveryDocument): JsonObject {
  return extensions?.[CHANGES_EXTENSION] ?? {}
}

function descriptionFrom(document: DiscoveryDocument): UpstreamDescription {
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

function isLoopback(origin: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname)
}

/** @throws WorldError `invalid_response` for a page that lacks what a store must know */
function wholePage(page: ChangesPage, url: string): UpstreamPage {
  const { position, earliest, versions = {}, damaged = [] } = page
  const texts = [...Object.values(versions), ...damaged.flatMap(({ type, id }) => [type, id])]
  if (position === undefined || earliest === undefined || texts.some((text) => typeof text !== 'string'))
    throw new WorldError('invalid_response', 'This is no page of changes that a replica can take.', { url })
  return { ...page, position, earliest }
}

/** Converts a change for the store. Members keep their order, so the text is the same as the upstream's. */
export function followedChange(change: Change): FollowedChange {
  const { type, id, position } = change
  if (change.op === 'delete') return { type, id, position }
  const { revision, entity } = change
  return { type, id, position, entity: { type, id, revision, json: JSON.stringify(entity) } }
}
