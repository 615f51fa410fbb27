/** Actions, which a world offers beyond reading, and the table of those that one world has. */
import {
  type ActionDescription,
  type JsonObject,
  type JsonValue,
  typeFault,
  type Warning,
} from '@worldwright/client/protocol'
import type { Client, MaybePromise, Position, Precondition, StoredEntity } from '../store/contract.ts'
import type { ErrorCode } from './errors.ts'
import type { World } from './world.ts'

/**
 * An action: discovery lists its description, and `POST {api}/actions/{name}` calls it (Level 1, endpoint 4, for all
 * actions alike).
 */
export interface Action {
  readonly description: ActionDescription & { readonly safe: boolean }
  /** Time limit of one call, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number
  /** Maximum concurrent calls in one process; a further call is refused at once. Default: no limit. */
  readonly maxRunning?: number
  /** Codes of its own errors, for the description of the API. Absent: any of its own. */
  readonly errors?: readonly ErrorCode[]
  /** Returns the types that a call reads, if the action is safe. Absent or undefined: any type. */
  reads?(input: JsonObject, world: World): ReadTypes
  /**
   * Runs the action. The input is an object but otherwise unchecked: the action validates it.
   * @throws WorldFault `invalid_input` with every fault, and any code of the action's own
   */
  call(input: JsonObject, context: ActionContext): Promise<ActionAnswer>
}

/** Entity types that are read. Undefined: any type. */
export type ReadTypes = MaybePromise<readonly string[] | undefined>

/** Context of one call of an action, besides its input. */
export interface ActionContext {
  readonly world: World
  /** Aborted when the caller disconnects or the time of the call is over. */
  readonly signal: AbortSignal
  /** The calling client, if known: clients that wait for the same thing take turns. */
  readonly client?: Client | undefined
  /** Position that the store must have reached, if the caller asks for one: results have to be at least as new. */
  readonly position?: Position | undefined
  /** Writes entities. Absent: nothing can be written here, as on a replica. */
  readonly writes?: EntityWrites | undefined
  /** The caller, authenticated when first asked for; undefined if no extension recognises it. */
  caller(): Promise<Caller | undefined>
}

/** Identity behind the credentials of a request, as an extension of the world recognised it. */
export interface Caller {
  /** Name of the credentials; not a secret. */
  readonly id: string
  readonly name?: string
  /** The rights of the credentials, in the words of the extension. */
  readonly scopes: readonly string[]
}

/** Precondition of a write, and the signal that cancels it. */
export interface WriteCondition {
  /** Condition on the stored entity. Absent: none. */
  readonly precondition?: Precondition | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Writes of single entities, as over HTTP: checked against their types, conditional, durable when they return. They
 * fail with WorldFault: `invalid_type`, `unknown_type`, `invalid_id`, `invalid_entity`, `precondition_failed`.
 */
export interface EntityWrites {
  /** Creates or replaces an entity: `title`, `summary` and `attributes`. */
  put(type: string, id: string, content: JsonValue, condition: WriteCondition): Promise<StoredEntity>
  /** Also fails with `entity_not_found`. */
  delete(type: string, id: string, condition: WriteCondition): Promise<void>
}

/** Result of an action call. */
export interface ActionAnswer {
  /** As JSON text, so that stored entities are passed on without being parsed. */
  readonly output: string
  readonly warnings: readonly Warning[]
}

/** The actions of one world, by name. */
export class Actions {
  readonly #byName: ReadonlyMap<string, Action>

  /** @throws TypeError for a name that no action can have, or that two have */
  constructor(actions: readonly Action[]) {
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

  /** Descriptions as discovery lists them, in the order in which the actions were given. */
  get descriptions(): ActionDescription[] {
    return [...this.#byName.values()].map(({ description }) => description)
  }
}
