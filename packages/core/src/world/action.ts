/** World actions, and a table to look them up by name. */
import {
  type ActionDescription,
  type Entity,
  type ErrorBody,
  type JsonObject,
  type JsonValue,
  typeFault,
  type Warning,
} from '@worldwright/client/protocol'
import type { Client, MaybePromise, Position, Store } from '../store/contract.ts'
import type { ErrorCode } from './errors.ts'
import type { World } from './world.ts'

/**
 * An action of a world. Discovery lists its description, and clients call it with `POST {api}/actions/{name}` (Level 1,
 * endpoint 4).
 */
export interface Action {
  readonly description: ActionDescription & { readonly safe: boolean }
  /** Time limit of one call, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number
  /** Maximum number of concurrent calls per process. Further calls are refused immediately. Default: unlimited. */
  readonly maxRunning?: number
  /** Error codes specific to the action, listed in the API description. If absent, it may return any code of its own. */
  readonly errors?: readonly ErrorCode[]
  /** Returns the entity types that a call of a safe action reads, or undefined (the default) if it may read any type. */
  reads?(input: JsonObject, world: World): ReadTypes
  /**
   * Runs the action. The caller has checked only that `input` is an object; the action must validate its members.
   * @throws WorldFault `invalid_input` listing every fault, or any code of the action's own
   */
  call(input: JsonObject, context: ActionContext): Promise<ActionAnswer>
}

/** Entity types that a request reads; undefined means any type. */
export type ReadTypes = MaybePromise<readonly string[] | undefined>

/** Context of a single action call, apart from its input. */
export interface ActionContext {
  readonly world: World
  /** Aborted when the caller disconnects or the call times out. */
  readonly signal: AbortSignal
  /** Time at which the call times out. */
  readonly deadline: Date
  /** Request id, as in the `Request-Id` header of the answer. Absent outside a request. */
  readonly requestId?: string | undefined
  /** Calling client, if known. Used to let clients that queue for the same resource take turns. */
  readonly client?: Client | undefined
  /** Position that the store must reach before the action reads from it (read-your-writes). Absent if not requested. */
  readonly position?: Position | undefined
  /** Write access. Absent if entities cannot be written here, as on a replica. */
  readonly writes?: EntityWrites | undefined
  /** Key of an unsafe call. Calls with the same key take effect once. Absent unless the description has `idempotencyKey`. */
  readonly idempotencyKey?: string | undefined
  /** True if the call must not change anything. Set only if the description has `preview`. */
  readonly isPreview?: boolean
  /** Logs an error that occurred after the response was sent, and returns its error body. */
  failed(error: unknown): ErrorBody
  /** Returns the caller, or undefined if no extension recognises the credentials. Authenticates on the first call only. */
  caller(): Promise<Caller | undefined>
}

/** Identity behind a request's credentials, as recognised by one of the world's extensions. */
export interface Caller {
  /** Identifier of the credentials. Not a secret. */
  readonly id: string
  readonly name?: string
  /** Rights granted to the credentials, in the extension's own terms. */
  readonly scopes: readonly string[]
}

/** Write access of actions to the world's store. */
export interface EntityWrites {
  readonly store: Store
  /**
   * Validates an entity by the rules of HTTP writes. `content` may have the members `title`, `summary` and `attributes`.
   * @throws WorldFault `invalid_type`, `unknown_type`, `invalid_id`, `invalid_entity`
   */
  validEntity(type: string, id: string, content: JsonValue): Promise<Entity>
}

/** Result of an action call: its output as JSON text, so that stored entities need not be parsed, or the id of its job. */
export type ActionAnswer = { readonly warnings: readonly Warning[] } & (
  | { readonly output: string; readonly job?: undefined }
  | { readonly job: string }
)

/** The actions of one world, by name. */
export class Actions {
  readonly #byName: ReadonlyMap<string, Action>

  readonly #takeKeys: boolean

  /**
   * @param takeKeys true if the world can keep the results of calls with an `Idempotency-Key`
   * @throws TypeError for an invalid name, or a name that two actions share
   */
  constructor(actions: readonly Action[], takeKeys: boolean) {
    this.#takeKeys = takeKeys
    const byName = new Map<string, Action>()
    for (const action of actions) {
      const { name } = action.description
      if (typeFault(name) !== undefined)
        throw new TypeError(`An action has a name such as prefix:name; ${JSON.stringify(name)} is none`)
      if (byName.has(name)) throw new TypeError(`Two actions have the name ${name}`)
      byName.set(name, action)
    }
    this.#byName = byName
  }

  get(name: string): Action | undefined {
    return this.#byName.get(name)
  }

  /** Descriptions for the discovery document, in the order in which the actions were given. */
  get descriptions(): ActionDescription[] {
    return [...this.#byName.values()].map(({ description: { idempotencyKey, ...description } }) =>
      this.#takeKeys && idempotencyKey ? { ...description, idempotencyKey } : description,
    )
  }
}
