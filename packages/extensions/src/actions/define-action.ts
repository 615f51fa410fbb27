/** Actions as their authors write them, two schemas and a function, turned into actions that a world accepts. */
import {
  type FieldFault,
  isObject,
  type JsonObject,
  type JsonValue,
  type Warning,
} from '@worldwright/client/protocol'
import type { Action, ActionAnswer, Caller } from '@worldwright/core'
import { type ActionErrorCode, fieldsFault, WorldFault } from '@worldwright/core'
import type { MaybePromise } from '@worldwright/core/store'
import type { CompileSchema, Validator, Verdict } from '@worldwright/entities'
import { createReader, type WorldReader } from './world-reader.ts'
import { createWriter, type WorldWriter } from './world-writer.ts'

/** An action, as its author writes it. */
export interface ActionDefinition<Input = JsonObject, Output = unknown> {
  /** `prefix:name`, unique among the actions of a world. */
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** True if the action only reads: anybody may call and repeat it. Other actions need a token with the scope `call:NAME`. */
  readonly safe: boolean
  /** JSON Schema (2020-12) of `input`. Invalid input is refused with `invalid_input` and never reaches the handler. */
  readonly inputSchema: JsonObject
  /** JSON Schema (2020-12) of `output`. Invalid output is an error of the action and is never sent. */
  readonly outputSchema: JsonObject
  /** Timeout of a call, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number
  /** Maximum concurrent calls in one process. Default 64. */
  readonly maxRunning?: number
  /** Returns the output, which must be serializable by `JSON.stringify`. */
  handler(input: Input, context: HandlerContext): MaybePromise<Output>
}

/** The context that a handler is called with. */
export interface HandlerContext extends WorldReader, WorldWriter {
  /** Aborted when the caller disconnects or the call times out. */
  readonly signal: AbortSignal
  /** Returns the caller, if the request has credentials that the world knows; authenticates on first use. */
  caller(): Promise<Caller | undefined>
  /** Ends the call with an error code of the action's own, such as `sol:same_body`, and status 422. */
  fail(code: ActionErrorCode, message: string, details?: JsonObject): never
}

const MAX_RUNNING = 64

/**
 * Makes an action that a world accepts.
 * @throws TypeError for a definition that lacks a member; whatever `compile` throws for an invalid schema
 */
export function defineAction<Input = JsonObject, Output = unknown>(
  definition: ActionDefinition<Input, Output>,
  compile: CompileSchema,
): Action {
  requireWhole(definition)
  const { name, title, description, safe, inputSchema, outputSchema, timeoutMs } = definition
  const readsInput = compile(inputSchema)
  const readsOutput = compile(outputSchema)
  return {
    description: {
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      safe,
      inputSchema,
      outputSchema,
    },
    maxRunning: definition.maxRunning ?? MAX_RUNNING,
    ...(timeoutMs !== undefined && { timeoutMs }),
    async call(input, asked): Promise<ActionAnswer> {
      const { warnings } = validInput(name, readsInput, input)
      const context = {
        ...createReader(asked),
        ...createWriter(name, safe, asked),
        signal: asked.signal,
        caller: asked.caller,
        fail,
      }
      const output = await definition.handler(input as Input, context)
      return { output: outputText(name, readsOutput, output), warnings: warnings.map(warningOf) }
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
      ({ pointer, reason }): FieldFault => ({ in: 'body', pointer: `/input${pointer}`, reason }),
    ),
  )
}

/** Serializes the output before it is validated, so that the validated value is exactly what is sent. */
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
