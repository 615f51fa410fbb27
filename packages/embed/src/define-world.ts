/** Defines a world in one call, with entities, actions and callers typed by its schemas. */
import type { Entity, EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import {
  type Action,
  type Caller,
  type Capability,
  createWorld,
  type Extension,
  fieldsFault,
  type Mount,
  type WorldHandler,
  type WorldOptions,
  type WorldRequest,
} from '@worldwright/core'
import type { CallOptions, MaybePromise, Source, Store } from '@worldwright/core/store'
import { createValidator } from '@worldwright/entities/schemas'
import { createTypeCheck, type TypeCheck } from '@worldwright/entities/types'
import {
  defineAction,
  type HandlerContext,
  Job,
  type JobContext,
  transact,
  type WrittenOnlyIf,
} from '@worldwright/extensions/actions'
import { createAccess, type OperatorOptions, operator } from '@worldwright/extensions/operator'
import { acceptedBy, type Described, type DescribedObject, jsonSchemaOf, type Schema } from './schemas.ts'

/** Definition of an entity type. Its name is the key in `types`. */
export interface TypeOptions {
  readonly title?: string
  readonly description?: string
  /** Schema of the attributes, published in discovery and enforced by every write. Absent: any attributes. */
  readonly schema?: Schema
}

/** Entity types by name, such as `rest:table`. */
export type Types = Readonly<Record<string, TypeOptions>>

/** Attributes of the entities of a type. */
export type AttributesOf<T extends Types, Name extends keyof T> = T[Name] extends { readonly schema: infer S }
  ? DescribedObject<S, 'output'>
  : JsonObject

/** Entity with attributes of type `Attributes`. */
export type TypedEntity<Attributes> = Omit<Entity, 'attributes'> & { attributes: Attributes }

/** Entity members that a write provides. The store sets the rest. */
export interface Content<Attributes> {
  readonly title?: string
  readonly summary?: string
  readonly attributes: JsonObject extends Attributes ? object : Attributes
}

/** Reads and writes entities by key, with types. */
export interface Entities<T extends Types> {
  /** Returns an entity, or undefined if there is none. */
  get<Name extends keyof T & string>(
    type: Name,
    id: string,
  ): Promise<TypedEntity<AttributesOf<T, Name>> | undefined>
  /**
   * Creates or replaces an entity. Returns it as it will be stored, without `createdAt` and `updatedAt`.
   * @throws WorldFault `invalid_entity`, `invalid_id`, `unknown_type`, `precondition_failed`; `forbidden` over a source
   */
  put<Name extends keyof T & string>(
    type: Name,
    id: string,
    content: Content<AttributesOf<T, Name>>,
    onlyIf?: WrittenOnlyIf,
  ): Promise<TypedEntity<AttributesOf<T, Name>>>
  /** Deletes an entity. @throws WorldFault `entity_not_found`, and as `put` does */
  delete(type: keyof T & string, id: string, onlyIf?: WrittenOnlyIf): Promise<void>
}

/** Caller as recognised by your own authentication. */
export interface KnownCaller {
  /** Identifier, which is not a secret. Idempotency keys belong to it. */
  readonly id: string
  readonly name?: string
  /** Scopes, as of tokens: `call` allows every action, `call:NAME` one. Default: `call`. */
  readonly scopes?: readonly string[]
}

/** Schemas and properties of an action, apart from its handler. Its name is the key in `actions`. */
export interface ActionOptions {
  readonly title?: string
  readonly description?: string
  /** True if the action only reads, so that everyone may call it. Default: false, only callers may call it. */
  readonly safe?: boolean
  /** True if the handler changes nothing but entities of this world, so that a call can be previewed. */
  readonly preview?: boolean
  /** Schema of the input, an object. Absent: any object. */
  readonly input?: Schema
  /** Schema of the output. Absent: anything that JSON can hold. */
  readonly output?: Schema
  /** Time limit of a call, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number
  /** Maximum concurrent calls in one process, and jobs that run beside them. Default 64. */
  readonly maxRunning?: number
}

/** Context of a handler. An action that is not safe always has a caller. */
export type Context<T extends Types, IsSafe> = Omit<HandlerContext, keyof Entities<T> | 'caller' | 'job'> &
  Entities<T> & {
    readonly caller: IsSafe extends true ? Caller | undefined : Caller
    job<Output>(work: (context: WorkContext<T>) => MaybePromise<Output>): Job<Output>
  }

/** Context of the work of a job. */
export type WorkContext<T extends Types> = Omit<JobContext, 'get' | 'transaction'> &
  Pick<Entities<T>, 'get'> & { transaction<R>(run: (entities: Entities<T>) => Promise<R>): Promise<R> }

/**
 * Actions of a world by name (`N`): the schemas of their inputs (`I`) and outputs (`O`), and whether they are safe (`S`). A
 * handler is a transaction: see `defineAction` of `@worldwright/extensions/actions`.
 */
export type ActionDefinitions<T extends Types, N extends string, I, O, S> = {
  readonly [Name in keyof I]: { readonly input?: I[Name] }
} & { readonly [Name in keyof O]: { readonly output?: O[Name] } } & {
  readonly [Name in keyof S]: { readonly safe?: S[Name] }
} & {
  readonly [Name in N]: ActionOptions & {
    handler(
      input: DescribedObject<Of<I, Name>, 'output'>,
      context: Context<T, Of<S, Name>>,
    ): MaybePromise<Described<Of<O, Name>, 'input'> | Job<Described<Of<O, Name>, 'input'>>>
  }
}

type Of<Map, Name> = Name extends keyof Map ? Map[Name] : unknown

/** Definition of a world. Members not listed here are those of `WorldOptions`. */
export type WorldDefinition<T extends Types, N extends string, I, O, S> = Omit<
  WorldOptions,
  'types' | 'store' | 'actions'
> & {
  readonly types: T
  readonly actions?: ActionDefinitions<T, N, I, O, S>
  /** Returns the caller of a request, or nothing for a stranger. Tokens of the store are recognised without it. */
  readonly authenticate?: (request: WorldRequest) => MaybePromise<KnownCaller | null | undefined>
  /** True to serve the operator API to holders of tokens, or its options. Default: false. */
  readonly operator?: boolean | Omit<OperatorOptions, 'check' | 'authenticate'>
} & (
    | { readonly store: Store; readonly source?: never }
    | { readonly source: Source; readonly store?: never; readonly operator?: never }
  )

/** A world that can handle requests, and whose entities the program can read and write. */
export interface DefinedWorld<T extends Types> extends WorldHandler, Entities<T> {
  /** Runs reads and writes by key as one transaction, as the handler of an action does. Returns the result of `run`. */
  transaction<R>(run: (entities: Entities<T>) => Promise<R>, options?: CallOptions): Promise<R>
}

/**
 * Defines a world over a store, or over a read-only source. Types are declared once: discovery publishes their schemas, and
 * every write is validated against them. Schemas of libraries are enforced in full, but entities are stored as written.
 * @throws TypeError for an invalid name, schema or option
 */
export function defineWorld<const T extends Types, const N extends string, const I, const O, const S>(
  definition: WorldDefinition<T, N, I, O, S>,
): DefinedWorld<T> {
  const {
    types,
    actions = {},
    authenticate,
    operator: operated = false,
    store,
    source,
    ...options
  } = definition
  if (!store === !source) throw new TypeError('A world needs a store or a source, and not both.')
  const served = typeof operated === 'object' ? operated : { isServed: operated }
  const described = Object.entries(types).map(([type, own]) => descriptionOf(type, own))
  const check = checkOf(types, described)
  const authenticated = authenticate && callersFrom(authenticate)
  let context!: Pick<Mount, 'world'> & Pick<Capability, 'writes'>
  const base: Extension = (mount) => {
    const capability = store
      ? operator({ ...served, check, ...(authenticated && { authenticate: authenticated }) })(mount)
      : callersOf(mount, authenticated)
    context = { world: mount.world, writes: capability.writes }
    return capability
  }
  const handler = createWorld({
    ...options,
    types: described,
    store: store ?? source,
    extensions: [base, ...(options.extensions ?? [])],
    actions: Object.entries<ActionOptions & RunHandler>(actions).map(([name, own]) => actionOf(name, own)),
  })
  const transaction: DefinedWorld<T>['transaction'] = (run, { signal } = {}) =>
    transact({ ...context, signal }, (entities) => run(entities as unknown as Entities<T>))
  return {
    ...handler,
    transaction,
    get: (...key) => transaction((entities) => entities.get(...key)),
    put: (...write) => transaction((entities) => entities.put(...write)),
    delete: (...write) => transaction((entities) => entities.delete(...write)),
  }
}

function descriptionOf(type: string, { title, description, schema }: TypeOptions): EntityTypeDescription {
  return {
    type,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { schema: jsonSchemaOf(schema, 'output', type) }),
  }
}

/** Returns a check of attributes against the JSON Schema of their type, and then by its library. */
function checkOf(types: Types, described: readonly EntityTypeDescription[]): TypeCheck {
  const byJsonSchema = createTypeCheck(described, createValidator)
  return (type, attributes) => {
    const verdict = byJsonSchema(type, attributes)
    const schema = types[type]?.schema
    if (verdict.faults.length > 0 || schema === undefined) return verdict
    const accepted = acceptedBy(schema, attributes)
    if (accepted instanceof Promise) {
      accepted.catch(() => {})
      throw new TypeError(`The schema of ${type} validates asynchronously, which a type cannot.`)
    }
    return 'faults' in accepted ? { ...verdict, faults: accepted.faults } : verdict
  }
}

/** Handler without the types of its world. */
interface RunHandler {
  handler(input: unknown, context: object): unknown
}

function actionOf(
  name: string,
  { input = { type: 'object' }, output = {}, safe = false, handler, ...rest }: ActionOptions & RunHandler,
): Action {
  return defineAction<JsonObject>(
    {
      ...rest,
      name,
      safe,
      inputSchema: jsonSchemaOf(input, 'input', `the input of ${name}`),
      outputSchema: jsonSchemaOf(output, 'output', `the output of ${name}`),
      async handler(given, context) {
        const accepted = await acceptedBy(input, given)
        if ('faults' in accepted) {
          const fields = accepted.faults.map(({ pointer, ...fault }) => ({
            in: 'body' as const,
            pointer: `/input${pointer}`,
            ...fault,
          }))
          const [first] = accepted.faults
          throw fieldsFault('invalid_input', `The input of ${name} is not valid: ${first?.message}`, fields)
        }
        const caller = await context.caller()
        const result = await handler(accepted.value, { ...context, caller })
        if (!(result instanceof Job)) return outputFrom(result)
        return context.job(async (job) => outputFrom(await result.work(job)))
      },
    },
    createValidator,
  )

  async function outputFrom(result: unknown): Promise<unknown> {
    const sent = await acceptedBy(output, result)
    if ('value' in sent) return sent.value
    throw new Error(`The output of ${name} is not valid: ${sent.faults[0]?.message}`)
  }
}

function callersFrom(authenticate: (request: WorldRequest) => MaybePromise<KnownCaller | null | undefined>) {
  return async (request: WorldRequest): Promise<Caller | undefined> => {
    const caller = await authenticate(request)
    if (!caller) return undefined
    // Without an id, all callers would share their idempotency keys and jobs.
    if (typeof caller.id !== 'string')
      throw new TypeError('authenticate returned a caller whose id is no text.')
    return { ...caller, scopes: caller.scopes ?? ['call'] }
  }
}

/** Returns the capability of a world over a source: its callers may call actions, but nobody can write. */
function callersOf({ callerOf }: Mount, authenticate: Capability['authenticate']): Capability {
  const access = createAccess(callerOf, false)
  return {
    name: 'worldwright:callers',
    ...(authenticate && { authenticate }),
    async admitCall(request, { name, safe }) {
      if (!safe) await access.requireScope(request, `call:${name}`)
    },
  }
}
