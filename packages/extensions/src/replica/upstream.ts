/** Connects a replica to its upstream over the protocol and `worldwright:changes`. */
import { connect, type DiscoveryDocument, type Fetch, type World, WorldError } from '@worldwright/client'
import { type Change, type ChangesPage, changesPage, positions } from '@worldwright/client/changes'
import { isObject, type JsonObject } from '@worldwright/client/protocol'
import type { FollowedChange, IndexRules, Position, SynonymRule } from '@worldwright/core/store'
import type { UpstreamDescription } from './kept-upstream.ts'

/** Name of the extension that makes a world followable. */
export const CHANGES_EXTENSION = 'worldwright:changes'

/** Options for the connection to an upstream. */
export interface UpstreamOptions {
  /** Origin of the world: `https://host[:port]`. */
  readonly origin: string
  /** Token with read access to all of a private world. It is sent only to the world's API. */
  readonly token?: string | undefined
  /** Origins, other than the world's own, whose APIs may receive the token. */
  readonly tokenOrigins?: readonly string[] | undefined
  /** Replaces the runtime's `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Aborts every request. */
  readonly signal: AbortSignal
}

/** Page of changes, including the positions that a store requires. */
export type UpstreamPage = ChangesPage & { readonly position: Position; readonly earliest: Position }

/** Timeouts for a whole response and for silence within it, in milliseconds. They are long because pages are large. */
const TIMEOUT_MS = 60_000
const SILENCE_MS = 30_000

const EVENT_STREAM = 'text/event-stream'

/** Connection to a world that declares `worldwright:changes`. Its methods throw `WorldError`. */
export class Upstream {
  readonly #options: UpstreamOptions
  #world: World

  private constructor(options: UpstreamOptions, world: World) {
    this.#options = options
    this.#world = world
  }

  /**
   * Connects to an origin by reading its discovery document.
   * @throws WorldError as `connect`; `world_mismatch` if the world's id differs, `not_followable` without the extension
   */
  static async connect(options: UpstreamOptions, worldId: string | undefined): Promise<Upstream> {
    return new Upstream(options, await connectTo(options, worldId))
  }

  /** Reads the discovery document again. @throws WorldError as `connect` */
  async refresh(): Promise<void> {
    this.#world = await connectTo(this.#options, this.#world.id)
  }

  /** Description of the world, as last read. */
  get description(): UpstreamDescription {
    return descriptionFrom(this.#world.document)
  }

  /** True if the world announces changes as they happen. */
  get announces(): boolean {
    const { formats } = extensionOf(this.#world.document)
    return Array.isArray(formats) && formats.includes(EVENT_STREAM)
  }

  /**
   * Returns the next changes with their entities, starting at the beginning if `since` is undefined. With `nameDamaged`,
   * damaged entities are listed instead of causing an error.
   */
  async page(since: string | undefined, nameDamaged: boolean): Promise<UpstreamPage> {
    const { signal } = this.#options
    const page = await changesPage(this.#world, { since, entities: true, nameDamaged, signal })
    return wholePage(page, this.#world.origin)
  }

  /** Yields positions as the world reaches them. See `positions` in the client. */
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
    // On loopback, compression takes longer than transmission.
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
    name,
    description,
    license,
    attribution,
    entityTypes,
    indexRules: (isObject(indexRules) ? indexRules : {}) as IndexRules,
    searchSynonyms: Array.isArray(searchSynonyms) ? (searchSynonyms as unknown[]).filter(isSynonymRule) : [],
    isPrivate: authentication?.required === true,
  }
}

function isSynonymRule(value: unknown): value is SynonymRule {
  const isTexts = (texts: unknown) => Array.isArray(texts) && texts.every((text) => typeof text === 'string')
  if (!isObject(value)) return false
  const { from, to, type, order } = value
  const isOrder = isObject(order) && typeof order['property'] === 'string' && 'descending' in order
  return (
    isTexts(from) &&
    isTexts(to) &&
    (type === undefined || typeof type === 'string') &&
    (order === undefined || isOrder)
  )
}

function isLoopback(origin: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname)
}

/** Checks that a page has all members that a store needs. @throws WorldError `invalid_response` */
function wholePage(page: ChangesPage, url: string): UpstreamPage {
  const { position, earliest, versions = {}, damaged = [] } = page
  const texts = [...Object.values(versions), ...damaged.flatMap(({ type, id }) => [type, id])]
  if (position === undefined || earliest === undefined || texts.some((text) => typeof text !== 'string'))
    throw new WorldError('invalid_response', 'This is no page of changes that a replica can take.', { url })
  return { ...page, position, earliest }
}

/** Converts a change for the store. Member order is preserved, so the JSON is the same as the upstream's. */
export function followedChange(change: Change): FollowedChange {
  const { type, id, position } = change
  if (change.op !== 'put') return { type, id, position }
  const { revision, entity } = change
  return { type, id, position, entity: { type, id, revision, json: JSON.stringify(entity) } }
}
