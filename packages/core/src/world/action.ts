/** What a world can be asked to do beyond reading: actions, and the table of those that one world has. */
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
  /** How long one call may take, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number
  /** How many calls may run at the same time in one process; a further one is refused at once. Default: no limit. */
  readonly maxRunning?: number
  /** The codes of its own errors, for the description of the API. Absent: any of its own. */
  readonly errors?: readonly ErrorCode[]
  /** Returns the types that a call reads of, if it is safe; undefined, as without it: of any. */
  reads?(input: JsonObject, world: World): ReadTypes
  /**
   * Does it. The input is an object and otherwise as it came: to judge it is the action's own task.
   * @throws WorldFault `invalid_input` with every fault, and whatever codes the action has
   */
  call(input: JsonObject, context: ActionContext): Promise<ActionAnswer>
}

/** Entity types of which something is read. Undefined: any. */
export type ReadTypes = MaybePromise<readonly string[] | undefined>

/** What one call of an action is given beside its input. */
export interface ActionContext {
  readonly world: World
  /** Aborted when the caller leaves or the time of the call is over. */
  readonly signal: AbortSignal
  /** Who calls, if known: callers that wait for the same thing take turns. */
  readonly client?: Client | undefined
  /** How far the store has come at least, where the caller asks for it: what it finds is to be as new. */
  readonly position?: Position | undefined
  /** Writes entities. Absent: nothing is written here, as at a copy of a world. */
  readonly writes?: EntityWrites | undefined
  /** The caller, authenticated when first asked for; undefined if no extension recognises it. */
  caller(): Promise<Caller | undefined>
}

/** The owner of the credentials of a request, as an extension of the world recognised it. */
export interface Caller {
  /** Names the credentials; no secret. */
  readonly id: string
  readonly name?: string
  /** The rights of the credentials, in the words of the extension. */
  readonly scopes: readonly string[]
}

/** When a write happens, and what ends the wait for it. */
export interface WriteCondition {
  /** What must be true of the entity that stands there. Absent: anything. */
  readonly precondition?: Precondition | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Writes of single entities, as over HTTP: held against their types, under their conditions, durable when they return. They
 * fail with WorldFault: `invalid_type`, `unknown_type`, `invalid_id`, `invalid_entity`, `precondition_failed`.
 */
export interface EntityWrites {
  /** Creates or replaces an entity: `title`, `summary` and `attributes`. */
  put(type: string, id: string, content: JsonValue, condition: WriteCondition): Promise<StoredEntity>
  /** Also `entity_not_found`. */
  delete(type: string, id: string, condition: WriteCondition): Promise<void>
}

/** What a call came to. */
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

  /** As discovery lists them, in the order they were given in. */
  get descriptions(): ActionDescription[] {
    return [...this.#byName.values()].map(({ description }) => description)
  }
}
