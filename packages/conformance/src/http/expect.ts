/** Assertions about responses. A failed assertion throws `Failure` with the exchange. */
import { Failure, NotAsked, type Recorded, Warning } from '../check/check.ts'
import { isObject, type JsonObject, objectIn } from '../json/json.ts'
import { isErrorBody } from './error-body.ts'
import type { Exchange } from './exchange.ts'

/** Reports whether a value is a non-negative safe integer. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Throws Failure with `reason` and the exchanges in `about` if `condition` is falsy. */
export function demand(condition: unknown, reason: string, ...about: Exchange[]): asserts condition {
  if (!condition) throw new Failure(reason, recorded(about))
}

/** Throws Warning with `reason` and the exchanges in `about` if `condition` is falsy. */
export function advise(condition: unknown, reason: string, ...about: Exchange[]): void {
  if (!condition) throw new Warning(reason, recorded(about))
}

function recorded(about: readonly Exchange[]): Recorded[] {
  return about.map((exchange) => exchange.recorded())
}

/** Fails unless the response is complete and its status is in `statuses`. */
export function expectStatus(exchange: Exchange, ...statuses: number[]): void {
  const right = statuses.includes(exchange.status)
  demand(right, `expected status ${statuses.join(' or ')}, got ${exchange.outcome}`, exchange)
  demand(exchange.trouble === undefined, `the answer is not whole: ${exchange.trouble}`, exchange)
}

/** Returns the JSON of a 2xx response. Throws NotAsked for a 401 to a request without a token; otherwise fails. */
export function expectJson(exchange: Exchange): unknown {
  if (exchange.status === 401 && !/^authorization:/im.test(exchange.sent.toString()))
    throw new NotAsked('the world answers 401', { option: '--token' })
  demand(exchange.succeeded, `expected a success, got ${exchange.outcome}`, exchange)
  demand(exchange.trouble === undefined, `the answer is not whole: ${exchange.trouble}`, exchange)
  const value = exchange.json
  demand(value !== undefined, 'the body is not JSON', exchange)
  demand(!isErrorBody(value), `an error has the status ${exchange.status}`, exchange)
  return value
}

/** Returns the JSON object of a successful response. Fails or throws NotAsked like `expectJson`. */
export function expectObject(exchange: Exchange): JsonObject {
  const value = expectJson(exchange)
  demand(isObject(value), 'the body is not a JSON object', exchange)
  return value
}

/**
 * Fails unless the response has this status and error code, and `details` with at least these members. Returns
 * `details`, or `{}` if the response has none.
 */
export function expectError(
  exchange: Exchange,
  status: number,
  code: string,
  ...members: string[]
): JsonObject {
  expectStatus(exchange, status)
  const found = exchange.member('code')
  demand(found === code, `expected the code ${code}, got ${JSON.stringify(found) ?? 'none'}`, exchange)
  const details = objectIn(exchange.member('details'))
  for (const member of members)
    demand(member in details, `details of ${code} has no member ${member}`, exchange)
  return details
}

/** Fails unless the header `name` equals or matches `right`. Reports spell `name` as it is given here. */
export function expectHeader(exchange: Exchange, name: string, right: string | RegExp): void {
  const found = exchange.header(name.toLowerCase())
  const fits = typeof right === 'string' ? found === right : right.test(found ?? '')
  demand(fits, `${name} is ${found ?? 'absent'}`, exchange)
}

/** Fails unless `values` are in strictly ascending order by `compare`. */
export function expectOrder<Value>(
  exchange: Exchange,
  values: readonly Value[],
  compare: (a: Value, b: Value) => number,
  shown: (value: Value) => unknown = String,
): void {
  const index = values.findIndex((value, at) => at > 0 && compare(values[at - 1] as Value, value) >= 0)
  const [before, value] = values.slice(index - 1, index + 1).map(shown)
  demand(index < 0, `${value} comes after ${before}`, exchange)
}

/** Fails unless a comma-separated header contains all of `values`, in any letter case and order. */
export function expectList(exchange: Exchange, name: string, values: readonly string[]): void {
  const items = headerItems(exchange, name)
  for (const value of values) {
    demand(items.includes(value.toLowerCase()), `the header ${name} does not name ${value}`, exchange)
  }
}

/** Returns the comma-separated items of a header, in lower case. */
export function headerItems(exchange: Exchange, name: string): string[] {
  return (exchange.header(name) ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '')
}
