/**
 * One world, as an application uses it: plain data with the calls as methods on its prototype, so that it can be
 * stored, cloned and sent to a worker like any object.
 */
import { action, discover, entities, get, type ListInput, list } from './calls.ts'
import { type KeptWorld, whenCurrent } from './freshness.ts'
import { withMessage } from './messages.ts'
import type { Entities, WalkOptions } from './pages.ts'
import type { ActionResult, DiscoverInput, DiscoverOutput, Entity, EntityList } from './protocol.ts'
import type { CallOptions } from './request.ts'
import type { AnyTypes, EntityOf, InputOf, Name, OutputOf, WorldTypes } from './types.ts'

/**
 * A world that answered. Every call rejects with a `WorldError` and nothing else; bodies come back as received, with
 * members this client does not know. `get`, `list`, `entities` and `discover` are retried; an action is where the
 * discovery document calls it `safe`.
 */
export interface World<Types extends WorldTypes = AnyTypes> extends KeptWorld {
  /** One entity (route 3). `entity_not_found` or `unknown_type` where there is none. */
  get<T extends Name<Types['entities']>>(
    type: T,
    id: string,
    options?: CallOptions,
  ): Promise<Entity<T, Types['entities'][T]>>
  /** One page (route 2). A cursor goes back unchanged; `limit` is a whole number of 0 or more, else `invalid_argument`. */
  list<T extends Name<Types['entities']>>(
    type: T,
    page?: ListInput,
    options?: CallOptions,
  ): Promise<EntityList<Entity<T, Types['entities'][T]>>>
  /** All entities of a type, fetched page by page while they are used. `timeout` holds for each page. */
  entities<T extends Name<Types['entities']>>(
    type: T,
    walk?: WalkOptions,
    options?: CallOptions,
  ): Entities<Entity<T, Types['entities'][T]>>
  /**
   * Filter and search (route 4): the `output` object. Where another world names its list differently, the same list
   * also stands in `entities`; without any list it is `invalid_response`.
   */
  discover(
    input?: DiscoverInput<Name<Types['entities']>>,
    options?: CallOptions,
  ): Promise<DiscoverOutput<EntityOf<Types>>>
  /** Any action: the whole `{ action, output, warnings? }`. Input that is no JSON object is `invalid_argument`. */
  action<N extends Name<Types['actions']>>(
    name: N,
    input?: InputOf<Types, N>,
    options?: CallOptions,
  ): Promise<ActionResult<OutputOf<Types, N>>>
}

/** The calls, for the prototype of a world. Each first sees to it that the discovery document is current. */
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
}

function current<T>(
  world: KeptWorld,
  options: CallOptions | undefined,
  call: (options: CallOptions) => Promise<T>,
): Promise<T> {
  return withMessage(async () => call(await whenCurrent(world, options)))
}
