/** What checks say about answers. Each function throws `Failure` with the exchange it is about. */
import { Failure, NotAsked, Warning } from '../check/check.ts'
import { isObject, type JsonObject } from '../shapes/json.ts'
import type { Exchange } from './exchange.ts'

/** Whether a JSON value is a whole number of 0 or more. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Fails with `reason` and the exchanges unless `condition` holds. */
export function demand(condition: unknown, reason: string, ...about: Exchange[]): asserts condition {
  if (!condition) {
    throw new Failure(
      reason,
      about.map((exchange) => exchange.recorded()),
    )
  }
}

/** Passes with a warning that says `reason` unless `condition` holds. */
export function advise(condition: unknown, reason: string, ...about: Exchange[]): void {
  if (condition) return
  throw new Warning(
    reason,
    about.map((exchange) => exchange.recorded()),
  )
}

/** Fails unless the status is one of `statuses`. */
export function expectStatus(exchange: Exchange, ...statuses: number[]): void {
  const found = exchange.status === 0 ? (exchange.trouble ?? 'no answer') : String(exchange.status)
  demand(
    statuses.includes(exchange.status),
    `expected status ${statuses.join(' or ')}, got ${found}`,
    exchange,
  )
  demand(exchange.trouble === undefined, `the answer is not whole: ${exchange.trouble}`, exchange)
}

/** Fails unless the answer is a success (2xx) and JSON; gives the JSON. Not asked if a token is missing. */
export function expectJson(exchange: Exchange): unknown {
  if (exchange.status === 401 && !/^authorization:/im.test(exchange.sent.toString()))
    throw new NotAsked('the world answers 401', { option: '--token' })
  const found = exchange.status === 0 ? (exchange.trouble ?? 'no answer') : String(exchange.status)
  const success = exchange.status >= 200 && exchange.status < 300
  demand(success && exchange.trouble === undefined, `expected a success, got ${found}`, exchange)
  const value = exchange.json
  demand(value !== undefined, 'the body is not JSON', exchange)
  return value
}

/** Fails unless the answer is a success with a JSON object; gives the object. */
export function expectObject(exchange: Exchange): JsonObject {
  const value = expectJson(exchange)
  demand(isObject(value), 'the body is not a JSON object', exchange)
  return value
}

/**
 * Fails unless the answer is the error `code` with this status and, in `details`, at least the members named.
 * Gives `details`; `{}` where the answer has none.
 */
export function expectError(
  exchange: Exchange,
  status: number,
  code: string,
  ...members: string[]
): JsonObject {
  expectStatus(exchange, status)
  const body = exchange.json
  const found = isObject(body) ? body['code'] : undefined
  demand(found === code, `expected the code ${code}, got ${JSON.stringify(found) ?? 'none'}`, exchange)
  const details = isObject(body) && isObject(body['details']) ? body['details'] : {}
  for (const member of members) {
    demand(member in details, `details of ${code} has no member ${member}`, exchange)
  }
  return details
}

/** Fails unless a header has exactly this value, lists compared without regard to case and order. */
export function expectList(exchange: Exchange, name: string, values: readonly string[]): void {
  const items = headerItems(exchange, name)
  for (const value of values) {
    demand(items.includes(value.toLowerCase()), `the header ${name} does not name ${value}`, exchange)
  }
}

/** The comma-separated items of a header, in lower case. */
export function headerItems(exchange: Exchange, name: string): string[] {
  return (exchange.header(name) ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '')
}
