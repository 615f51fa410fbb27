/** The world that is followed: what a replica asks of it, over the protocol and `worldwright:changes`. */
import { connect, type DiscoveryDocument, type Fetch, type World, WorldError } from '@worldwright/client'
import { type Change, type ChangesPage, changesPage, positions } from '@worldwright/client/changes'
import { isObject, type JsonObject } from '@worldwright/client/protocol'
import type { FollowedChange, IndexRules, Position, SynonymRule } from '@worldwright/core/store'
import type { UpstreamDescription } from './kept-upstream.ts'

/** The extension that makes a world one that can be followed. */
export const CHANGES_EXTENSION = 'worldwright:changes'

/** How the upstream is reached. */
export interface UpstreamOptions {
  /** Where the world is found; `https://host[:port]`. */
  readonly origin: string
  /** For a private world, a token that may read all of it. Sent to its API alone. */
  readonly token?: string | undefined
  /** Origins beside the world's own where its API may be for that. */
  readonly tokenOrigins?: readonly string[] | undefined
  /** Sends the requests in place of the runtime's own. */
  readonly fetch?: Fetch | undefined
  /** Ends every request when it is aborted. */
  readonly signal: AbortSignal
}

/** A page of changes that says what a store has to know beside them. */
export type UpstreamPage = ChangesPage & { readonly position: Position; readonly earliest: Position }

/** Milliseconds until an answer has to be there as a whole, and that it may go without a byte: pages are large. */
const TIMEOUT_MS = 60_000
const SILENCE_MS = 30_000

const EVENT_STREAM = 'text/event-stream'

/** A world that answered, and declares its changes. Its calls fail with `WorldError`. */
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

  /** The world's description, as read last. */
  get description(): UpstreamDescription {
    return descriptionFrom(this.#world.document)
  }

  /** True if changes are announced as they happen. */
  get announces(): boolean {
    const { formats } = extensionOf(this.#world.document)
    return Array.isArray(formats) && formats.includes(EVENT_STREAM)
  }

  /**
   * The next changes, with their entities; without `since` from the beginning. With `nameDamaged`, what is damaged is named, in
   * place of being an error.
   */
  async page(since: string | undefined, nameDamaged: boolean): Promise<UpstreamPage> {
    const { signal } = this.#options
    const page = await changesPage(this.#world, { since, entities: true, nameDamaged, signal })
    return wholePage(page, this.#world.origin)
  }

  /** Positions as the world reaches them: as `positions` of the client. */
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
    // On one machine, compressing takes longer than sending.
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

/** @throws WorldError `invalid_response` for a page that lacks what a store has to know */
function wholePage(page: ChangesPage, url: string): UpstreamPage {
  const { position, earliest, versions = {}, damaged = [] } = page
  const texts = [...Object.values(versions), ...damaged.flatMap(({ type, id }) => [type, id])]
  if (position === undefined || earliest === undefined || texts.some((text) => typeof text !== 'string'))
    throw new WorldError('invalid_response', 'This is no page of changes that a replica can take.', { url })
  return { ...page, position, earliest }
}

/** A change as a store takes it. Members keep the order in which they came: the text is the same as the upstream's. */
export function followedChange(change: Change): FollowedChange {
  const { type, id, position } = change
  if (change.op === 'delete') return { type, id, position }
  const { revision, entity } = change
  return { type, id, position, entity: { type, id, revision, json: JSON.stringify(entity) } }
}
