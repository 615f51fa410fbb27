/**
 * A world as an application uses it: plain data with the calls as methods on its prototype, so that it can be
 * stored, cloned and sent to a worker like any object.
 */
import { action, discover, entities, get, type ListInput, list } from './calls.ts'
import type { Change, ChangesOptions, WatchOptions } from './changes.ts'
import { type KeptWorld, whenCurrent } from './freshness.ts'
import { withMessage } from './messages.ts'
import type { Entities, WalkOptions } from './pages.ts'
import type { ActionResult, DiscoverInput, DiscoverOutput, Entity, EntityList } from './protocol.ts'
import type { AnswerOf, QueryInput } from './query-types.ts'
import type { CallOptions } from './request.ts'
import type { AnyTypes, EntityOf, InputOf, Name, OutputOf, WorldTypes } from './types.ts'

/**
 * A connected world. Every call rejects only with a `WorldError`; bodies are returned as received, with members that this
 * client does not know. `get`, `list`, `entities` and `discover` are retried; an action is retried if the discovery
 * document calls it `safe`.
 */
export interface World<Types extends WorldTypes = AnyTypes> extends KeptWorld {
  /** Returns one entity (route 3). `entity_not_found` or `unknown_type` if there is none. */
  get<T extends Name<Types['entities']>>(
    type: T,
    id: string,
    options?: CallOptions,
  ): Promise<Entity<T, Types['entities'][T]>>
  /** Returns one page (route 2). Pass a cursor back unchanged; `limit` is an integer of 0 or more, else `invalid_argument`. */
  list<T extends Name<Types['entities']>>(
    type: T,
    page?: ListInput,
    options?: CallOptions,
  ): Promise<EntityList<Entity<T, Types['entities'][T]>>>
  /** Returns all entities of a type, fetched page by page on demand. `timeout` applies to each page. */
  entities<T extends Name<Types['entities']>>(
    type: T,
    walk?: WalkOptions,
    options?: CallOptions,
  ): Entities<Entity<T, Types['entities'][T]>>
  /**
   * Filters and searches (route 4). Returns the `output` object; without a list of entities it is `invalid_response`.
   */
  discover(
    input?: DiscoverInput<Name<Types['entities']>>,
    options?: CallOptions,
  ): Promise<DiscoverOutput<EntityOf<Types>>>
  /**
   * Runs a structured query: entities that meet a condition, in any order, with counts by their values. Nothing is requested
   * before the answer is used. `unknown_action` if the world cannot, `invalid_input` with every fault of the query.
   */
  query<T extends Name<Types['entities']> = Name<Types['entities']>>(
    input?: QueryInput<Types, T>,
    options?: CallOptions,
  ): AnswerOf<Types, T>
  /** Calls any action. Returns the whole `{ action, output, warnings? }`. Input other than an object is `invalid_argument`. */
  action<N extends Name<Types['actions']>>(
    name: N,
    input?: InputOf<Types, N>,
    options?: CallOptions,
  ): Promise<ActionResult<OutputOf<Types, N>>>
  /**
   * Yields past changes, and then changes as they happen: see `changes` of `@worldwright/client/changes`.
   * `unsupported_extension` if the world does not serve them, `changes_expired` if it no longer remembers them.
   */
  changes<T extends Name<Types['entities']>>(
    options?: ChangesOptions<T>,
  ): AsyncGenerator<Change<Types, T>, void, undefined>
  /** Yields an entity as it is, and again whenever it has changed; undefined while there is none. */
  watch<T extends Name<Types['entities']>>(
    type: T,
    id: string,
    options?: WatchOptions,
  ): AsyncGenerator<Entity<T, Types['entities'][T]> | undefined, void, undefined>
}

/** The calls, for the prototype of a world. Each first ensures that the discovery document is current. */
export const METHODS: Record<string, unknown> & ThisType<KeptWorld> = {
  get(type: string, id: string, options?: CallOptions) {
    return current(this, options, (options) => get(this, type, id, options))
  },
  list(type: string, page?: ListInput, options?: CallOptions) {
    return current(this, options, (options) => list(this, type, page, options))
  },
  entities(type: string, walk?: WalkOptions, options?: CallOptions) {
    return entities(this, type, walk, options, (ask) => current(this, options, ask))
  },
  discover(input?: DiscoverInput, options?: CallOptions) {
    return current(this, options, (options) => discover(this, input, options))
  },
  action(name: string, input?: object, options?: CallOptions) {
    return current(this, options, (options) => action(this, name, input, options))
  },
  query(input?: QueryInput<AnyTypes>, options?: CallOptions) {
    const world = this as unknown as World
    async function* pages() {
      yield* (await import('./query.ts')).pages(world, input, options)
    }
    return {
      page: async () => (await pages().next()).value,
      pages,
      async *[Symbol.asyncIterator]() {
        for await (const page of pages()) yield* page.entities
      },
    }
  },
  // Loaded on demand: most programs never follow a world.
  async *watch(type: string, id: string, options?: WatchOptions) {
    yield* (await import('./changes.ts')).watch(this, type, id, options)
  },
  async *changes(options?: ChangesOptions) {
    yield* (await import('./changes.ts')).changes(this, options)
  },
}

function current<T>(
  world: KeptWorld,
  options: CallOptions | undefined,
  call: (options: CallOptions) => Promise<T>,
): Promise<T> {
  return withMessage(async () => call(await whenCurrent(world, options)))
}
