/** Calls the discovery action and parses its responses in the form that the decisions define. */

import type { Exchange } from '../http/exchange.ts'
import { demand, expectError, expectObject, expectStatus } from '../http/expect.ts'
import { isObject, type JsonObject, objectsIn } from '../json/json.ts'
import type { Target } from './target.ts'

/** A parsed response. `body`, `output` and `entities` have the right types, but their contents are not validated. */
export interface Answer {
  readonly exchange: Exchange
  readonly body: JsonObject
  readonly output: JsonObject
  readonly entities: readonly JsonObject[]
  readonly warnings: readonly JsonObject[]
}

/** Calls the discovery action. Fails unless the response is 200 with an array of objects in `output.entities`. */
export async function ask(target: Target, input: unknown): Promise<Answer> {
  return answerOf(await target.discover({ input }))
}

/** Parses a response from an action. Fails under the same conditions as `ask`. */
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

/** Fails unless the part `name` is the same in both responses. */
export function expectSame(
  name: 'body' | 'output' | 'entities',
  one: Answer,
  other: Answer,
  reason: string,
): void {
  const same = JSON.stringify(one[name]) === JSON.stringify(other[name])
  demand(same, reason, one.exchange, other.exchange)
}

/** Fails unless the response contains a warning with this code for this input field. */
export function expectWarning({ warnings, exchange }: Answer, code: string, field: string): void {
  const warned = warnings.some((one) => one['code'] === code && one['field'] === field)
  demand(warned, `no warning ${code} at ${field}`, exchange)
}

/** Calls the discovery action with `body`. Fails unless the server refuses it with a fault at `pointer`. */
export async function expectInvalid(target: Target, body: unknown, pointer: string): Promise<void> {
  const exchange = await target.discover(body)
  const { fields } = expectError(exchange, 400, 'invalid_input', 'fields')
  const named = objectsIn(fields).some((field) => field['pointer'] === pointer)
  demand(named, `details.fields does not name ${pointer || 'the whole body'}`, exchange)
}

/** Returns the type and id of each entity, in order, as one string per entity. */
export function addresses(entities: readonly JsonObject[]): string[] {
  return entities.map((entity) => `${entity['type']} ${entity['id']}`)
}
