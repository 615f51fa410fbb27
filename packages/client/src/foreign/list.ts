/**
 * Lists in response bodies, and the cursors of their next pages.
 */
import { fail } from '../error.ts'
import type { EntityList } from '../protocol.ts'
import { isObject } from '../protocol.ts'
import { entityFrom } from './entity.ts'
import { type Found, find, isBranch, isKey, membersIn } from './find.ts'
import { interpretationOf, noteInterpretation } from './interpretation.ts'
import type { Names } from './names.ts'

/** Converts the response to a list request to a page with our names. The members of `body` are kept unchanged. */
export function pageFrom(body: unknown, names: Names, type?: string, before?: EntityList): EntityList {
  const entities = listIn(body, names.entities)
  // The member that contained the previous cursor is used again, since other members may repeat the request's cursor.
  const followed = before && interpretationOf(before)?.found['cursor']?.path
  const finished = find(body, isFalse, /^has(next|more)|^more$/, 'hasMore')
  const cursor = finished ?? cursorIn(body, names.cursor ?? followed)
  const total = find(
    body,
    (value): value is number => isKey(value) && Number.isInteger(value.valueOf()),
    /^total(?!page)|total$/,
    'total',
    names.total,
  )
  const page = {
    ...(isObject(body) && body),
    entities: entities.value.map((item) => entityFrom(item, names, type)),
    nextCursor: isKey(cursor?.value) ? cursorFrom(`${cursor.value}`) : undefined,
    total: total && Number(total.value),
  }
  return noteInterpretation(page as EntityList, body, { entities, cursor, total })
}

/**
 * Finds the list in a response body: the member at `given`, the body itself, a member with a known name, or the only array
 * of objects. If there is none, fails with `invalid_response` (details `members` lists the member paths).
 */
function listIn(body: unknown, given?: string): Found<unknown[]> {
  const ours = Array.isArray(body) ? '' : 'entities'
  const [only, more] = membersIn(body).filter(({ value }) => isList(value))
  const at = (likely: RegExp) => find(body, isList, likely, ours, given)
  const found = at(/^item/) ?? at(/^result/) ?? at(/^(data|hits|match)/)
  if (found) return found
  if (given !== undefined || !only || more) fail('invalid_response', { members: pathsIn(body) })
  return { ...only, certainty: 'likely' } as Found<unknown[]>
}

/** Returns the paths of at most 99 members of a body. */
export function pathsIn(body: unknown): string[] {
  return membersIn(body)
    .slice(0, 99)
    .map(({ path }) => path)
}

/**
 * Finds the continuation member of a body: a string or number is the cursor of the next page; null, an empty string or
 * `false` marks the last page. Returns undefined if no such member is recognised.
 */
function cursorIn(body: unknown, given?: string): Found | undefined {
  const named = (likely: RegExp) =>
    find<unknown>(body, isKey, likely, 'nextCursor', given) ?? find(body, isOver, likely, 'nextCursor', given)
  return named(/^(?!prev|before).*(next|after|contin|endcursor)/) ?? named(/^(?!prev|before).*(cursor|token)/)
}

/** Returns the cursor to send: the `cursor` parameter if `text` is a URL that has one, else `text` itself. */
function cursorFrom(text: string): string {
  return new URLSearchParams(text.split('?')[1]).get('cursor') || text
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every(isBranch)
}

function isOver(value: unknown): value is null | '' | false {
  return value === null || value === '' || isFalse(value)
}

function isFalse(value: unknown): value is false {
  return value === false
}
