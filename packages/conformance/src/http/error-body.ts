/** Recognizes errors in bodies, because Level 1 does not specify where `code` and `message` are. */
import { isObject, type JsonObject } from '../json/json.ts'
import type { Exchange } from './exchange.ts'

/** Searches a body for an object with both `code` and `message`. */
export function errorIn(value: unknown, depth = 3): JsonObject | undefined {
  if (Array.isArray(value))
    return value.map((one) => errorIn(one, depth - 1)).find((one) => one !== undefined)
  if (!isObject(value)) return undefined
  const { code, message } = value
  const coded = (typeof code === 'string' && code.trim() !== '') || Number.isInteger(code)
  if (coded && typeof message === 'string' && message.trim() !== '') return value
  if (depth === 0) return undefined
  for (const member of Object.values(value)) {
    const found = errorIn(member, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Members that stand beside `code` and `message` in an error, but rarely in an entity. */
const ERROR_MEMBERS =
  /^(code|message|details?|errors?|status(_?code)?|type|title|instance|path|success|ok|(request|trace)_?id|timestamp)$/i

/** Reports whether a whole body is an error: it has a code and a message, and nothing that an error would not have. */
export function isErrorBody(body: unknown): boolean {
  const names = isObject(body) ? Object.keys(body) : []
  return names.length > 0 && names.every((name) => ERROR_MEMBERS.test(name)) && errorIn(body, 2) !== undefined
}

/** Reports whether a response is an RFC 9457 problem whose `type` is not `about:blank`. */
export function isProblem(exchange: Exchange): boolean {
  const { json } = exchange
  if (!isObject(json) || !/problem\+json/i.test(exchange.header('content-type') ?? '')) return false
  const { type: kind, title, detail } = json
  const own = typeof kind === 'string' && kind !== '' && kind !== 'about:blank'
  return own && [title, detail].some((text) => typeof text === 'string' && text !== '')
}
