/** Finding lists, cursors and errors in worlds with other names, for the reference client. */
import { isObject, type JsonObject } from '../../src/json/json.ts'
import { type Breaks, fail } from './breaks.ts'

const LISTS = ['entities', 'items', 'results', 'data', 'matches']
const CURSORS = ['nextCursor', 'next_cursor', 'next', 'cursor']
const FURTHER = ['nextPageToken', 'next_page_token', 'after', 'continuationToken']

/** Returns the entities of a body. Fails with `invalid_response` if it holds no list. */
export function listIn(body: unknown, is: Breaks): unknown[] {
  const found = find(body, is('own-names') ? ['entities'] : LISTS, is('nested-is-empty') ? 0 : 2)
  if (found !== undefined) return found
  if (is('no-list-is-empty') || is('nested-is-empty')) return []
  fail(200, 'invalid_response', '', { members: isObject(body) ? Object.keys(body) : [] })
}

function find(body: unknown, names: readonly string[], depth: number): unknown[] | undefined {
  if (Array.isArray(body)) return depth > 0 ? body : undefined
  if (!isObject(body)) return undefined
  const own = names.map((name) => body[name]).find(Array.isArray)
  if (own !== undefined || depth === 0) return own
  for (const member of Object.values(body)) {
    const inner = isObject(member) ? find(member, names, depth - 1) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

/** Returns the cursor of the next page; undefined at the end. Fails if there is more but no cursor is recognised. */
export function nextIn(
  body: unknown,
  entities: readonly unknown[],
  seen: number,
  is: Breaks,
): string | undefined {
  const own: JsonObject = isObject(body) ? body : {}
  const names = is('own-cursor-name')
    ? ['nextCursor']
    : [...CURSORS, ...(is('short-cursor-names') ? [] : FURTHER)]
  const name = names.find((one) => Object.hasOwn(own, one))
  const value = name === undefined ? undefined : own[name]
  if (value === '' && is('empty-cursor')) return ''
  if (typeof value === 'string' && value !== '') return value
  const total = Number(own['total'] ?? 0)
  const unsure = is('ends-unsure') || is('short-cursor-names')
  if (name === undefined && total > seen + entities.length && !unsure)
    fail(200, 'invalid_response', '', { members: Object.keys(own) })
  return undefined
}

/** Returns the error in a body: at its top, in `error`, or in `errors`. */
export function errorIn(body: unknown, is: Breaks): JsonObject | undefined {
  if (!isObject(body)) return undefined
  if (body['code'] !== undefined) return body
  if (is('needs-top-code')) throw new TypeError('there is no code')
  if (is('top-code')) return undefined
  const { error, errors } = body
  if (isObject(error)) return error
  return Array.isArray(errors) && isObject(errors[0]) ? errors[0] : undefined
}

/** Reads the list of types as careless clients do. A client that keeps the rules does not need it. */
export function readTypes(
  { entityTypes: types = [], actions = [] }: JsonObject,
  url: string,
  is: Breaks,
): void {
  const entries: unknown[] = Array.isArray(types) ? types : []
  if (is('needs-type-objects') && !entries.every(isObject)) fail(200, 'invalid_response', url)
  if (is('needs-type-array') && !Array.isArray(types)) fail(200, 'invalid_response', url)
  const named = JSON.stringify([types, actions])
  if (is('needs-known-type') && !named.includes('sol:moon')) fail(200, 'invalid_response', url)
}
