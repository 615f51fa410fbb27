/** Answers of the discovery action as the decisions shape them. */

import type { Exchange } from '../http/exchange.ts'
import { demand, expectError, expectObject, expectStatus } from '../http/expect.ts'
import { isObject, type JsonObject, objectsIn } from '../shapes/json.ts'
import type { Target } from './target.ts'

/** An answer as it was read. Only the entities are validated; other members are as the server sent them. */
export interface Answer {
  readonly exchange: Exchange
  readonly body: JsonObject
  readonly output: JsonObject
  readonly entities: readonly JsonObject[]
  readonly warnings: readonly JsonObject[]
}

/** Calls the action; fails unless the answer is 200 with an array of objects in `output.entities`. */
export async function ask(target: Target, input: unknown): Promise<Answer> {
  return answerOf(await target.discover({ input }))
}

/** Reads an answer; fails as `ask` does. */
export function answerOf(exchange: Exchange): Answer {
  expectStatus(exchange, 200)
  const body = expectObject(exchange)
  const { output, warnings } = body
  demand(isObject(output), 'output is not an object', exchange)
  const { entities } = output
  const listed = Array.isArray(entities) && entities.every(isObject)
  demand(listed, 'output.entities is no array of objects', exchange)
  return { exchange, body, output, entities, warnings: objectsIn(warnings) }
}

/** Fails unless the part of two answers called `name` is the same in both. */
export function expectSame(
  name: 'body' | 'output' | 'entities',
  one: Answer,
  other: Answer,
  reason: string,
): void {
  const same = JSON.stringify(one[name]) === JSON.stringify(other[name])
  demand(same, reason, one.exchange, other.exchange)
}

/** Fails unless an answer warns with this code about this field of the input. */
export function expectWarning({ warnings, exchange }: Answer, code: string, field: string): void {
  const warned = warnings.some((one) => one['code'] === code && one['field'] === field)
  demand(warned, `no warning ${code} at ${field}`, exchange)
}

/** Sends a body; fails unless it is refused with a fault at `pointer`. */
export async function expectInvalid(target: Target, body: unknown, pointer: string): Promise<void> {
  const exchange = await target.discover(body)
  const { fields } = expectError(exchange, 400, 'invalid_input', 'fields')
  const named = objectsIn(fields).some((field) => field['pointer'] === pointer)
  demand(named, `details.fields does not name ${pointer || 'the whole body'}`, exchange)
}

/** Returns the type and id of each entity, for comparing orders. */
export function addresses(entities: readonly JsonObject[]): string[] {
  return entities.map((entity) => `${entity['type']} ${entity['id']}`)
}
