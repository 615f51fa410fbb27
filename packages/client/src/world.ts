/**
 * The world object used by applications: plain data with the calls as prototype methods, so that it can be stored, cloned
 * and sent to a worker like any other object.
 */
import { action, discover, entities, get, type ListInput, list } from './calls.ts'
import type { Change, ChangesOptions, WatchOptions } from './changes.ts'
import { type KeptWorld, whenCurrent } from './freshness.ts'
import type { Measures } from './group-types.ts'
import type { Live, LiveOptions } from './live.ts'
import { withMessage } from './messages.ts'
import type { Entities, WalkOptions } from './pages.ts'
import type { ActionResult, DiscoverInput, DiscoverOutput, Entity, EntityList } from './protocol.ts'
import type { AnswerOf, PropertyName, QueryInput } from './query-types.ts'
import type { CallOptions } from './request.ts'
import type { AnyTypes, EntityOf, InputOf, Name, OutputOf, WorldTypes } from './types.ts'

/**
 * A connected world. Calls reject only with a `WorldError`. Bodies are returned as received, including members unknown to
 * this client. Calls to `get`, `list`, `entities` and `discover` are retried. An action is retried only if the discovery
 * document declares it `safe`.
 */
export interface World<Types extends WorldTypes = AnyTypes> extends KeptWorld {
  /** Returns one entity (route 3). Fails with `entity_not_found` or `unknown_type` if it does not exist. */
  get<T extends Name<Types['entities']>>(
    type: T,
    id: string,
    options?: CallOptions,
  ): Promise<Entity<T, Types['entities'][T]>>
  /** Returns one page (route 2). Pass `cursor` unchanged. A negative or fractional `limit` fails with `invalid_argument`. */
  list<T extends Name<Types['entities']>>(
    type: T,
    page?: ListInput,
    options?: CallOptions,
  ): Promise<EntityList<Entity<T, Types['entities'][T]>>>
  /** Returns all entities of a type as an iterable that fetches pages on demand. `timeout` applies to each page. */
  entities<T extends Name<Types['entities']>>(
    type: T,
    walk?: WalkOptions,
    options?: CallOptions,
  ): Entities<Entity<T, Types['entities'][T]>>
  /**
   * Filters and searches (route 4). Returns the `output` object, or fails with `invalid_response` if it has no entity list.
   */
  discover<T extends Name<Types['entities']> = Name<Types['entities']>>(
    input?: DiscoverInput<T>,
    options?: CallOptions,
  ): Promise<DiscoverOutput<EntityOf<Types, T>>>
  /**
   * Runs a structured query: a filter condition, a sort order, facets and groups. Sends nothing until the results are used.
   * Fails with `unknown_action` if the world does not support queries. An `invalid_input` error lists every fault in the query.
   */
  query<
    T extends Name<Types['entities']> = Name<Types['entities']>,
    const M extends Measures<PropertyName<Types, T>> = Measures<PropertyName<Types, T>>,
  >(input?: QueryInput<Types, T, M>, options?: CallOptions): AnswerOf<Types, T, M>
  /**
   * Resolves with the answer to a query, which is then kept current. Rejects as the query does, and with
   * `unsupported_extension` if the world publishes no changes. `close` or the `signal` of the options ends it.
   */
  live<
    T extends Name<Types['entities']> = Name<Types['entities']>,
    const M extends Measures<PropertyName<Types, T>> = Measures<PropertyName<Types, T>>,
  >(input?: QueryInput<Types, T, M>, options?: LiveOptions): Promise<Live<EntityOf<Types, T>, M>>
  /** Calls any action. Returns `{ action, output, warnings? }`. Any `input` but an object fails with `invalid_argument`. */
  action<N extends Name<Types['actions']>>(
    name: N,
    input?: InputOf<Types, N>,
    options?: CallOptions,
  ): Promise<ActionResult<OutputOf<Types, N>>>
  /**
   * Yields past changes, then new ones as they happen. See `changes` of `@worldwright/client/changes`. Fails with
   * `unsupported_extension` if the world publishes no changes or accepts no `where` for them, and with `changes_expired` if
   * it retains too few.
   */
  changes<T extends Name<Types['entities']>>(
    options?: ChangesOptions<T> & { where?: QueryInput<Types, T>['where'] | undefined },
  ): AsyncGenerator<Change<Types, T>, void, undefined>
  /** Yields an entity's state now and after each change, or undefined if it does not exist. */
  watch<T extends Name<Types['entities']>>(
    type: T,
    id: string,
    options?: WatchOptions,
  ): AsyncGenerator<Entity<T, Types['entities'][T]> | undefined, void, undefined>
}

/** Prototype methods of a world. Each call first revalidates the discovery document if it is stale. */
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
  async live(input?: object, options?: LiveOptions) {
    return (await import('./live.ts')).live(this, input, options)
  },
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
