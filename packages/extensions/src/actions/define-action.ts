/** Turns action definitions, which consist of two schemas and a function, into actions that a world accepts. */
import {
  type FieldFault,
  isObject,
  type JsonObject,
  type JsonValue,
  type Warning,
} from '@worldwright/client/protocol'
import type { Action, ActionAnswer, ActionContext, Caller } from '@worldwright/core'
import { type ActionErrorCode, fieldsFault, unavailable, WorldFault } from '@worldwright/core'
import type { MaybePromise } from '@worldwright/core/store'
import type { CompileSchema, Validator, Verdict } from '@worldwright/entities'
import { callOnce } from './idempotency.ts'
import { Job, type JobWork, type NewJob, newJob } from './jobs.ts'
import { type TransactionEntities, transact } from './transaction.ts'
import { createReader, type WorldReader } from './world-reader.ts'

/** Action as its author writes it. */
export interface ActionDefinition<Input = JsonObject, Output = unknown> {
  /** Name in the form `prefix:name`, unique among the actions of a world. */
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** True if the action only reads. Everyone who may read the world may call it. Other actions need scope `call:NAME`. */
  readonly safe: boolean
  /** JSON Schema (2020-12) of `input`. Invalid input is refused with `invalid_input` and never reaches the handler. */
  readonly inputSchema: JsonObject
  /** JSON Schema (2020-12) of `output`. Invalid output is an internal error and is never sent. */
  readonly outputSchema: JsonObject
  /** Call timeout, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number
  /** Maximum concurrent calls in one process, and jobs that run beside them. Default 64. */
  readonly maxRunning?: number
  /** True if the handler changes nothing but entities, by `put` and `delete`, so that a call can be previewed. */
  readonly preview?: boolean
  /**
   * Returns the output, which must be serializable by `JSON.stringify`. The handler of an action that is not safe is a
   * transaction: its writes are applied when it returns, and it runs again if an entity that it read has changed by then.
   */
  handler(input: Input, context: HandlerContext): MaybePromise<Output | Job<Output>>
}

/** Context passed to a handler. */
export interface HandlerContext extends WorldReader, TransactionEntities {
  /**
   * Creates a job for the handler to return. The call is answered with the address of the job, and then `work` runs and
   * returns the output. Only for actions that are not safe, in worlds over a store.
   */
  job<Output>(work: JobWork<Output>): Job<Output>
  /** Aborted when the caller disconnects or the call times out. */
  readonly signal: AbortSignal
  /** Time at which the call times out. */
  readonly deadline: Date
  /** Request id, as in the `Request-Id` header of the response and in log lines. */
  readonly requestId: string | undefined
  /** Returns the caller, or undefined if the request has no valid credentials. Authenticates on first use. */
  caller(): Promise<Caller | undefined>
  /** Fails the call with status 422 and an error code defined by the action, such as `sol:same_body`. */
  fail(code: ActionErrorCode, message: string, details?: JsonObject): never
}

const MAX_RUNNING = 64

/** `Retry-After` of a call refused because of running jobs, in seconds. */
const RETRY_AFTER_SECONDS = 10

/** Result of one run of a handler: its output, or a job to begin once the call is answered. */
type Ran =
  | { readonly output: string; readonly begun?: undefined }
  | { readonly job: string; readonly begun: NewJob }

function answerOf(ran: Ran, warnings: readonly Warning[]): ActionAnswer {
  return ran.begun ? { job: ran.job, warnings } : { output: ran.output, warnings }
}

/**
 * Converts a definition to an action that a world accepts.
 * @throws TypeError if the definition lacks a member; also any error that `compile` throws for an invalid schema
 */
export function defineAction<Input = JsonObject, Output = unknown>(
  definition: ActionDefinition<Input, Output>,
  compile: CompileSchema,
): Action {
  requireWhole(definition)
  const { name, title, description, safe, inputSchema, outputSchema, timeoutMs, preview } = definition
  const readsInput = compile(inputSchema)
  const readsOutput = compile(outputSchema)

  const { maxRunning = MAX_RUNNING } = definition
  let jobs = 0

  const outputOf = (output: unknown) => outputText(name, readsOutput, output)

  async function run(input: Input, asked: ActionContext, entities?: TransactionEntities): Promise<Ran> {
    const { signal, deadline, requestId, caller, isPreview } = asked
    const output = await definition.handler(input, {
      ...createReader(asked),
      ...(entities ?? { put: refuse, delete: refuse }),
      job: (work) => new Job(work),
      signal,
      deadline,
      requestId,
      caller,
      fail,
    })
    if (!(output instanceof Job)) return { output: outputOf(output) }
    if (entities === undefined) refuse()
    if (isPreview) throw new WorldFault('not_implemented', 'This call begins a job, which has no preview.')
    if (jobs >= maxRunning)
      throw unavailable('Too many jobs of this action are running.', RETRY_AFTER_SECONDS)
    const job = await newJob(output, name, asked, outputOf)
    return { job: job.id, begun: job }
  }

  function refuse(): never {
    throw new Error(`The action ${name} is called safe, and wants to write.`)
  }

  return {
    description: {
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      safe,
      ...(!safe && { idempotencyKey: true, ...(preview && { preview }) }),
      inputSchema,
      outputSchema,
    },
    maxRunning,
    ...(timeoutMs !== undefined && { timeoutMs }),
    async call(input, asked): Promise<ActionAnswer> {
      const verdict = validInput(name, readsInput, input)
      const warnings = verdict.warnings.map(warningOf)
      const ranWith = (entities?: TransactionEntities) => run(input as Input, asked, entities)
      if (safe) return answerOf(await ranWith(), warnings)
      return callOnce(name, input, asked, async (valuesOf) => {
        const ran = await transact(asked, ranWith, (ran) => {
          const change = valuesOf(answerOf(ran, warnings))
          return ran.begun ? { ...change, values: { ...change.values, ...ran.begun.values } } : change
        })
        if (ran.begun) {
          jobs++
          void ran.begun.start().finally(() => jobs--)
        }
        return answerOf(ran, warnings)
      })
    },
  }
}

function requireWhole(definition: Partial<ActionDefinition<never>>): void {
  const { name, safe, inputSchema, outputSchema, handler } = definition
  if (typeof name !== 'string') throw lacks('name', 'a text such as prefix:name')
  if (typeof safe !== 'boolean')
    throw lacks('safe', 'true where it only reads, false where it changes things')
  if (!isObject(inputSchema)) throw lacks('inputSchema', 'a JSON Schema')
  if (!isObject(outputSchema)) throw lacks('outputSchema', 'a JSON Schema')
  if (typeof handler !== 'function') throw lacks('handler', 'a function')
}

function lacks(member: string, what: string): TypeError {
  return new TypeError(`An action needs the member "${member}": ${what}`)
}

function validInput(name: string, validate: Validator, input: JsonObject): Verdict {
  const verdict = validate(input)
  if (verdict.faults.length === 0) return verdict
  const [first] = verdict.faults
  throw fieldsFault(
    'invalid_input',
    `The input of ${name} does not match its inputSchema: ${[first?.pointer, first?.message].filter(Boolean).join(' ')}.`,
    verdict.faults.map(
      ({ pointer, reason, message }): FieldFault => ({
        in: 'body',
        pointer: `/input${pointer}`,
        reason,
        message,
      }),
    ),
  )
}

/** Serializes the output before validating it, so that exactly the validated value is sent. */
function outputText(name: string, validate: Validator, output: unknown): string {
  const text = JSON.stringify(output)
  if (text === undefined) throw new Error(`The action ${name} gave nothing that JSON can hold.`)
  const value: JsonValue = JSON.parse(text)
  const [first] = validate(value).faults
  if (first === undefined) return text
  const where = first.pointer === '' ? '' : `${first.pointer} `
  throw new Error(`The output of ${name} does not match its outputSchema: ${where}${first.message}.`)
}

function warningOf({ pointer, message }: Verdict['warnings'][number]): Warning {
  return { code: 'format', message, field: `/input${pointer}` }
}

function fail(code: ActionErrorCode, message: string, details: JsonObject = {}): never {
  if (/^[a-z][^:]*:./.test(code)) throw new WorldFault(code, message, details)
  throw new TypeError(`A code of an action looks like prefix:name; ${JSON.stringify(code)} does not`)
}
